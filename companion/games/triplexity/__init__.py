"""Triplexity"""
