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

export const allPermissions = Object.keys(permissions) as readonly Permission[]

/** Bitmasks for the usual tasks of organisers: docs/operate/roles.md. */
export const roles = {
  owner: ALL_PERMISSIONS,
  author: maskOf(['challsRead', 'challsWrite']),
  judge: maskOf(['challsRead', 'leaderboardRead', 'challsSolveWrite']),
  support: maskOf(['challsRead', 'leaderboardRead', 'usersWrite']),
} as const

export type Role = keyof typeof roles

/** Whose permissions need a second factor: those of a role, or any. */
export const secondFactorRoles = ['all', 'owner', 'author', 'judge', 'support'] as const satisfies readonly (
  | 'all'
  | Role
)[]
export type SecondFactorRole = (typeof secondFactorRoles)[number]

/** More permissions never need less: whoever has all permissions of a role has it. */
export function needsSecondFactor(perms: number, demanded: readonly SecondFactorRole[]): boolean {
  const has = (role: SecondFactorRole) => role === 'all' || (perms & roles[role]) === roles[role]
  return perms !== 0 && demanded.some(has)
}

/** The role with exactly these permissions; null for none and for any other combination. */
export function roleOf(perms: number): Role | null {
  return (Object.keys(roles) as Role[]).find((role) => roles[role] === perms) ?? null
}

export function maskOf(names: readonly Permission[]): number {
  return names.reduce((mask, name) => mask | permissions[name], 0)
}

/** Whether a bitmask contains every bit of `needed`. */
export function hasPermissions(perms: number, needed: readonly Permission[]): boolean {
  return needed.every((name) => (perms & permissions[name]) === permissions[name])
}
