"""A filter for readable names of browsers."""

from django import template

from accounts.browsers import browser_name

register = template.Library()
register.filter(browser_name)
