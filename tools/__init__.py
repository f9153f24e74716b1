"""Tools of whoever develops the companion: pictures for the documents, schemas, training. No part of the wheel."""
