import { parseSwitches, type Switches } from './switches.ts'

const KEY = 'pennant.mock'

/**
 * `?mock=` of the address, stored for the session and removed from the address; a role applies only when it
 * is given.
 */
function readSwitches(): Switches {
  const url = new URL(location.href)
  const asked = url.searchParams.get('mock')
  if (asked === null) return { ...parseSwitches(sessionStorage.getItem(KEY) ?? ''), role: null }
  sessionStorage.setItem(KEY, asked)
  url.searchParams.delete('mock')
  history.replaceState(history.state, '', url)
  return parseSwitches(asked)
}

/** Read once, before the site reads its address. */
export const storedSwitches: Switches = readSwitches()
