"""Networks: their inputs, their layers and the policies made of them."""
