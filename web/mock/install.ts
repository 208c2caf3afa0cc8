import { signIn, signOut } from '../src/state/session.ts'
import { createMockFetch } from './fetch.ts'
import { storedSwitches } from './stored-switches.ts'
import type { Role } from './switches.ts'
import { tokenOf } from './world.ts'

const TEAM_OF_ROLE: Readonly<Record<Exclude<Role, 'visitor'>, string>> = {
  player: 'team-player',
  banned: 'team-banned',
  reader: 'team-reader',
  organiser: 'team-admin',
}

/** Replaces the API in this page. Changes last as long as the page. */
export async function install(): Promise<void> {
  const { scenario, role, isRtl } = storedSwitches
  if (role === 'visitor') signOut()
  else if (role !== null) signIn(tokenOf(TEAM_OF_ROLE[role]))
  if (isRtl) document.documentElement.dir = 'rtl'
  const openedAt = Date.now()
  const mock = createMockFetch(scenario, () => scenario.now + Date.now() - openedAt)
  const real = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    return /^\/(?:api|uploads)\//.test(pathname) ? mock(input, init) : real(input, init)
  }
}
