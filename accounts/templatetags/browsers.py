"""Browsers by the names that their owners know them by."""

from django import template

from accounts.browsers import browser_name

register = template.Library()
register.filter(browser_name)
