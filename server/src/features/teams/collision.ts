/** What two teams may not share. */
export type Collision = 'name' | 'email' | 'extrankId'

// Names from the migration.
const constraints: Readonly<Record<string, Collision>> = {
  teams_name_key: 'name',
  teams_email_key: 'email',
  teams_extrank_id_key: 'extrankId',
}

/** The uniqueness that a failed statement ran into, or null when it failed otherwise. */
export function collisionOf(error: unknown): Collision | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null
  return 'constraint' in error ? (constraints[String(error.constraint)] ?? null) : null
}

/** Runs a write; a collision with another team becomes a value. */
export async function orCollision<T>(write: Promise<T>): Promise<T | { readonly collision: Collision }> {
  try {
    return await write
  } catch (error) {
    const collision = collisionOf(error)
    if (collision) return { collision }
    throw error
  }
}
