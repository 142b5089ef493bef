"""Any game as a PettingZoo or Gymnasium environment."""
