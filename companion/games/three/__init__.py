"""Three!"""
