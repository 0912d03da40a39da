"""How the weights of the learned method are made: ``python -m training CORPORA…``."""
