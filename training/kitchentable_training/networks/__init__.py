"""Networks: what they are shown, their layers, and the policies built of them."""
