import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Also read by `public/boot.js`, which applies theme, language and density before the first paint. */
const KEY = 'pennant.preferences'

export type Theme = 'dark' | 'light'
export type Language = 'en' | 'de'

/** The settings of this browser; omitted ones follow the system. */
export interface Preferences {
  readonly theme?: Theme
  readonly language?: Language
  readonly density?: 'compact'
  readonly motion?: 'reduced'
  /** Single-key shortcuts; on unless false. */
  readonly shortcuts?: boolean
  /** Shows first bloods of other teams; on unless false. */
  readonly firstBloods?: boolean
  /** Shows them large for some seconds instead of as a notice; off unless true. */
  readonly bloodMoments?: boolean
  /** Plays a sound after a solve, with a first blood, an announcement and an answer; off unless true. */
  readonly sound?: boolean
  /** Shows announcements and answers as notifications of the browser; off unless true. */
  readonly notifications?: boolean
}

export const languages: readonly Language[] = ['en', 'de']

const preferences = createStore<Preferences>(parsed(readStored(KEY)))
const lightWished = matchMedia('(prefers-color-scheme: light)')
const systemTheme = createStore<Theme>(themeOfSystem())
lightWished.addEventListener('change', () => {
  systemTheme.set(themeOfSystem())
  applyToRoot()
})

function themeOfSystem(): Theme {
  return lightWished.matches ? 'light' : 'dark'
}

function parsed(text: string | null): Preferences {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

export function usePreferences(): Preferences {
  return useStore(preferences)
}

/** The current value, outside of rendering. */
export function preference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return preferences.read()[name]
}

/** Undefined: follow the system again. */
export function setPreference<Name extends keyof Preferences>(
  name: Name,
  value: Preferences[Name] | undefined,
): void {
  const { [name]: _, ...rest } = preferences.read()
  const next: Preferences = value === undefined ? rest : { ...rest, [name]: value }
  writeStored(KEY, JSON.stringify(next))
  preferences.set(next)
  applyToRoot()
}

export function useTheme(): Theme {
  const { theme } = usePreferences()
  const system = useStore(systemTheme)
  return theme ?? system
}

/** The chosen language, else the first supported one of the browser, else English. */
export function languageInUse(): Language {
  const wanted = [preferences.read().language, ...navigator.languages].map((name) => name?.slice(0, 2))
  return (
    languages.find((name) => name === wanted.find((each) => languages.some((one) => one === each))) ?? 'en'
  )
}

export function useLanguage(): Language {
  usePreferences()
  return languageInUse()
}

function applyToRoot(): void {
  const { density, motion, theme = systemTheme.read() } = preferences.read()
  const root = document.documentElement
  root.dataset['theme'] = theme
  root.lang = languageInUse()
  setOrRemove('density', density)
  setOrRemove('motion', motion)

  function setOrRemove(name: string, value: string | undefined) {
    if (value === undefined) delete root.dataset[name]
    else root.dataset[name] = value
  }
}

/**
 * Applies what the boot script does not handle, and follows changes from other tabs. Call once, at startup.
 */
export function followPreferences(): void {
  applyToRoot()
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return
    preferences.set(parsed(newValue))
    applyToRoot()
  })
}
