import { hasPermissions, permissions, type Permission } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'

/** A kind of caller. */
export interface Role {
  readonly name: string
  readonly perms: number
  readonly isBanned: boolean
  /** Null for anonymous requests. */
  readonly team: { readonly id: string; readonly token: string; readonly email: string | null } | null
}

export const anonymous: Role = { name: 'anonymous', perms: 0, isBanned: false, team: null }

/** A text that only authorised responses may contain. */
export interface Secret {
  readonly label: string
  readonly text: string
  /** A route that requires this permission may show it. Null: no route may. */
  readonly permission: Permission | null
  /** The caller needs this permission too, whatever the route requires. */
  readonly holder?: Permission
  /** The team that owns the secret and may read it. */
  readonly ownerId?: string
}

/** Secrets that a response may contain for this role at this route. */
export function mayShow(secret: Secret, route: Route | null, role: Role): boolean {
  if (secret.ownerId !== undefined && secret.ownerId === role.team?.id) return true
  const { permission, holder } = secret
  if (holder !== undefined && !hasPermissions(role.perms, [holder])) return false
  if (permission === null || !route?.perms?.includes(permission)) return false
  return hasPermissions(role.perms, route.perms)
}

/** `challsRead + usersWrite`, for messages. */
export function nameOfPermissions(perms: number): string {
  const names = (Object.keys(permissions) as Permission[]).filter((name) => hasPermissions(perms, [name]))
  return names.join(' + ') || 'no permissions'
}
