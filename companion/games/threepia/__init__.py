"""Threepia"""
