import { textsOf } from './texts.ts'

// Before the first paint: theme and language as on the other pages, and the texts around the viewer.

interface Preferences {
  readonly theme?: string
  readonly language?: string
}

function preferences(): Preferences {
  try {
    return (JSON.parse(localStorage.getItem('pennant.preferences') ?? 'null') ?? {}) as Preferences
  } catch {
    // Storage is unavailable or invalid: follow the system settings.
    return {}
  }
}

const root = document.documentElement
const { theme, language } = preferences()
const isLight = matchMedia('(prefers-color-scheme: light)').matches
root.dataset['theme'] = theme ?? (isLight ? 'light' : 'dark')
root.classList.toggle('dark-mode', root.dataset['theme'] === 'dark')
const wanted = language ?? navigator.languages.find((each) => /^(?:en|de)\b/.test(each)) ?? 'en'
root.lang = wanted.startsWith('de') ? 'de' : 'en'
const texts = textsOf(root.lang)
document.title = texts.title

addEventListener('DOMContentLoaded', () => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = texts[element.dataset['text'] as keyof typeof texts]
})
