"""Exploration: survey, scenarios, experience, and the program that puts them in order."""
