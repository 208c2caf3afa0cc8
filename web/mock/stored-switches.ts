import { parseSwitches, type Switches } from './switches.ts'

const KEY = 'pennant.mock'

/** `?mock=` of the address, kept for the session and taken out of the address; a role counts only when it is asked for. */
function readSwitches(): Switches {
  const url = new URL(location.href)
  const asked = url.searchParams.get('mock')
  if (asked === null) return { ...parseSwitches(sessionStorage.getItem(KEY) ?? ''), role: null }
  sessionStorage.setItem(KEY, asked)
  url.searchParams.delete('mock')
  history.replaceState(history.state, '', url)
  return parseSwitches(asked)
}

/** Read once, before the site looks at its address. */
export const storedSwitches: Switches = readSwitches()
