"""Triple³"""
