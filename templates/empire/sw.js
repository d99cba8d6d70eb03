{% load static %}// Show push messages from the site, and open the table when one is tapped. Nothing is cached.

const SITE = "{{ site_name|escapejs }}";
const ICON = "{% static 'img/app-192.png' %}";
const BADGE = "{% static 'img/badge-96.png' %}";
const RENEW = "{% url 'renew_device' %}";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function read(data) {
  try {
    return data.json();
  } catch {
    return {}; // a push without data must show a notification too
  }
}

self.addEventListener("push", (event) => {
  const told = read(event.data);
  const options = {
    body: told.body || "", tag: told.tag || "", renotify: Boolean(told.tag), icon: ICON, badge: BADGE,
    data: { url: told.url || "/" },
  };
  event.waitUntil(self.registration.showNotification(told.title || SITE, options));
});

async function open(path) {
  const url = new URL(path, self.location.origin);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => new URL(one.url).pathname === url.pathname);
  return there ? there.focus() : self.clients.openWindow(url.origin === self.location.origin ? url.href : "/");
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function renew(old, fresh) {
  const key = old.options.applicationServerKey;
  const { endpoint, keys } = (fresh || (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))).toJSON();
  const body = new URLSearchParams({ old: old.endpoint, endpoint, p256dh: keys.p256dh, auth: keys.auth });
  return fetch(RENEW, { method: "POST", body });
}

self.addEventListener("pushsubscriptionchange", (event) => {
  if (event.oldSubscription) event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});
