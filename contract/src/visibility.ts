// Who sees which part of the event: docs/operate/closed-events.md. Without imports, because the site uses the rule too.

/** For challenges, statistics and the home page, `division` is the same as `signedIn`: they are the same for all divisions. */
export const visibilityLevels = ['everyone', 'signedIn', 'division', 'organisers'] as const
export type Visibility = (typeof visibilityLevels)[number]

export const visibleParts = ['challenges', 'scoreboard', 'profiles', 'statistics', 'home'] as const
export type VisiblePart = (typeof visibleParts)[number]

/** A missing part falls back: in the settings to the configuration, and there to `everyone`. */
export type VisibilitySettings = { readonly [Part in VisiblePart]?: Visibility | undefined }

/** Each of these permission bits opens the part, whatever is set. */
const OPENED_BY: Readonly<Record<VisiblePart, number>> = {
  // challsRead
  challenges: 1,
  // leaderboardRead
  scoreboard: 4,
  // challsRead, usersWrite
  profiles: 1 + 16,
  // challsRead, leaderboardRead
  statistics: 1 + 4,
  // All of them
  home: 63,
}

export function seesAll(part: VisiblePart, perms: number): boolean {
  return (perms & OPENED_BY[part]) !== 0
}

/** The rule of the whole API and of the site. `perms` is null for callers without a team. With `division` only their own one. */
export function maySee(part: VisiblePart, perms: number | null, settings: VisibilitySettings): boolean {
  const level = settings[part] ?? 'everyone'
  if (level === 'everyone') return true
  if (perms === null) return false
  return level !== 'organisers' || seesAll(part, perms)
}
