"""CLG: a logistic regression on what a browser shows of each node, then groups of nodes.

S. Wu, J. Liu, J. Fan: Automatic Web Content Extraction by Combination of Learning and Grouping.
WWW 2015. Sections, equations and the names of features are those of the paper.
"""
