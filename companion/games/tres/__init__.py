"""Tres"""
