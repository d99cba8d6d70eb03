"""A filter for readable names of browsers."""

from django import template

from accounts.http import browser_name

register = template.Library()
register.filter(browser_name)
