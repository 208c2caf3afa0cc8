/** The permission bits of a team (specification, "Permissions"). A route that lists several needs them all. */
export const permissions = {
  challsRead: 1,
  challsWrite: 2,
  leaderboardRead: 4,
  challsSolveWrite: 8,
  usersWrite: 16,
  settingsWrite: 32,
} as const

export type Permission = keyof typeof permissions

/** Every bit: what `pennant admin create` gives by default. */
export const allPermissions = 63

/** Whether a bitmask holds every bit of `needed`. */
export function hasPermissions(perms: number, needed: readonly Permission[]): boolean {
  return needed.every((name) => (perms & permissions[name]) === permissions[name])
}
