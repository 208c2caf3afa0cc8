/**
 * A team's permission bits: docs/reference/administration.md#permissions. A route that lists several requires
 * all of them.
 */
export const permissions = {
  challsRead: 1,
  challsWrite: 2,
  leaderboardRead: 4,
  challsSolveWrite: 8,
  usersWrite: 16,
  settingsWrite: 32,
} as const

export type Permission = keyof typeof permissions

/** All bits: the default of `pennant admin create`. */
export const ALL_PERMISSIONS = 63

/** Whether a bitmask contains every bit of `needed`. */
export function hasPermissions(perms: number, needed: readonly Permission[]): boolean {
  return needed.every((name) => (perms & permissions[name]) === permissions[name])
}
