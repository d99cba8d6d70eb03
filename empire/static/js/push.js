// Push notifications on this device: show the browser's state, subscribe to push, and submit the subscription.

const section = () => document.querySelector("[data-push]");

function show(state) {
  for (const part of section().querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
}

const isApplePhone = () => /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

// The sign-up page of a guest asks which of the guest's devices this browser is
async function fillIn(field) {
  if ("serviceWorker" in navigator && "PushManager" in window) field.value = (await subscription())?.endpoint ?? "";
}

async function mark(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ownRow() {
  const own = await subscription();
  return own ? section().querySelector(`[data-mark="${await mark(own.endpoint)}"]`) : null;
}

async function state() {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return isApplePhone() && !navigator.standalone ? "home-screen" : "unsupported";
  }
  const row = await ownRow();
  if (row) row.querySelector("[data-here]").hidden = false;
  if (Notification.permission === "denied") return "denied";
  return row ? "on" : "off";
}

async function look() {
  if (section()?.dataset.key) show(await state());
}

function bytes(base64url) {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function subscribe() {
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may belong to another key
  const options = { userVisibleOnly: true, applicationServerKey: bytes(section().dataset.key) };
  return registration.pushManager.subscribe(options);
}

async function add(form) {
  if ((await Notification.requestPermission()) !== "granted") return look();
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  } catch {
    show("failed");
  }
}

async function remove(form) {
  const row = await ownRow();
  if (row?.contains(form)) await (await subscription()).unsubscribe();
  form.submit();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const act = form.matches('[data-push] [data-state="off"]') ? add : form.matches("[data-push] [data-remove]") ? remove : null;
  if (!act) return;
  event.preventDefault();
  act(form);
});
document.addEventListener("htmx:afterSettle", look);
look();
document.querySelectorAll("[data-endpoint]").forEach(fillIn);
