/** Fields that must be unique among teams. */
export type Collision = 'name' | 'email' | 'extrankId'

// Constraint names from the migrations.
const constraints: Readonly<Record<string, Collision>> = {
  teams_name_key: 'name',
  teams_name_case_key: 'name',
  teams_email_key: 'email',
  teams_extrank_id_key: 'extrankId',
}

/** The unique field that a failed statement violated, or null if it failed for another reason. */
export function collisionOf(error: unknown): Collision | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null
  return 'constraint' in error ? (constraints[String(error.constraint)] ?? null) : null
}

/** Runs a write and returns a collision as a value instead of throwing. */
export async function orCollision<T>(write: Promise<T>): Promise<T | { readonly collision: Collision }> {
  try {
    return await write
  } catch (error) {
    const collision = collisionOf(error)
    if (collision) return { collision }
    throw error
  }
}
