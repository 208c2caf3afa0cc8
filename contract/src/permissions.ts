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
  /** An extension of Pennant. Owners have it without the bit, so that theirs stays the one that other clients know. */
  fairPlay: 64,
} as const

export type Permission = keyof typeof permissions

/** All bits that other clients know, which include every permission: the default of `pennant admin create`. */
export const ALL_PERMISSIONS = 63
/** The largest combination of bits. */
export const MAX_PERMISSIONS = ALL_PERMISSIONS | permissions.fairPlay

export const allPermissions = Object.keys(permissions) as readonly Permission[]

/** Bitmasks for the usual tasks of organisers: docs/operate/roles.md. */
export const roles = {
  owner: ALL_PERMISSIONS,
  author: maskOf(['challsRead', 'challsWrite']),
  judge: maskOf(['challsRead', 'leaderboardRead', 'challsSolveWrite']),
  support: maskOf(['challsRead', 'leaderboardRead', 'usersWrite']),
  referee: maskOf(['fairPlay']),
} as const

export type Role = keyof typeof roles

/** Whose permissions need a second factor: those of a role, or any. */
export const secondFactorRoles = [
  'all',
  'owner',
  'author',
  'judge',
  'support',
  'referee',
] as const satisfies readonly ('all' | Role)[]
export type SecondFactorRole = (typeof secondFactorRoles)[number]

/** More permissions never need less: whoever has all permissions of a role has it. */
export function needsSecondFactor(perms: number, demanded: readonly SecondFactorRole[]): boolean {
  const has = (role: SecondFactorRole) => role === 'all' || (withImplied(perms) & roles[role]) === roles[role]
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
  const all = withImplied(perms)
  return needed.every((name) => (all & permissions[name]) === permissions[name])
}

/** With what the bits of an owner include. */
export function withImplied(perms: number): number {
  return (perms & ALL_PERMISSIONS) === ALL_PERMISSIONS ? perms | permissions.fairPlay : perms
}

/** As it is stored: an owner has the bits that other clients know, and no others. */
export function storedPermissions(perms: number): number {
  return (perms & ALL_PERMISSIONS) === ALL_PERMISSIONS ? ALL_PERMISSIONS : perms
}
