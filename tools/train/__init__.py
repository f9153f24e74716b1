"""Training the reader: pictures drawn from seeds, the network, the files made from it. Needs the extra `train`."""
