export type WidgetProvider = 'captcha/recaptcha' | 'captcha/hcaptcha' | 'captcha/turnstile'

interface WidgetApi {
  render(place: HTMLElement, options: Record<string, unknown>): unknown
  ready?(done: () => void): void
}

/** Script URL of each provider and the global variable it defines. */
const WIDGETS: Readonly<Record<WidgetProvider, readonly [script: string, global: string]>> = {
  'captcha/recaptcha': ['https://www.google.com/recaptcha/api.js?render=explicit', 'grecaptcha'],
  'captcha/hcaptcha': ['https://js.hcaptcha.com/1/api.js?render=explicit', 'hcaptcha'],
  'captcha/turnstile': ['https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit', 'turnstile'],
}

export function isWidgetProvider(name: string): name is WidgetProvider {
  return Object.hasOwn(WIDGETS, name)
}

export interface WidgetHandlers {
  readonly onCode: (code: string) => void
  readonly onFailure: () => void
}

/** Loads the provider's script once per page and renders its widget. Rejects if the script is blocked. */
export async function drawWidget(
  place: HTMLElement,
  { provider, siteKey }: { readonly provider: WidgetProvider; readonly siteKey: string },
  { onCode, onFailure }: WidgetHandlers,
): Promise<void> {
  const [script, name] = WIDGETS[provider]
  await loadScript(script)
  const api = (globalThis as unknown as Record<string, WidgetApi | undefined>)[name]
  if (!api) throw new Error(`${script} made no ${name}`)
  if (api.ready) await new Promise<void>((done) => api.ready?.(done))
  if (!place.isConnected) return
  const theme = document.documentElement.dataset.theme === 'light' ? 'light' : 'dark'
  api.render(place, { sitekey: siteKey, theme, callback: onCode, 'error-callback': onFailure })
}

const loading = new Map<string, Promise<void>>()

function loadScript(url: string): Promise<void> {
  const known = loading.get(url)
  if (known) return known
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      // Remove it, so that the next attempt loads it again.
      script.remove()
      loading.delete(url)
      reject(new Error(`${url} did not load`))
    })
    script.async = true
    script.src = url
    document.head.append(script)
  })
  loading.set(url, loaded)
  return loaded
}
