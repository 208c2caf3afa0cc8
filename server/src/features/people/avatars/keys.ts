/** Storage key of a team's avatar. It includes the content hash, so a new avatar never reuses an old URL. */
export function keyOf(teamId: string, sha256: string): string {
  return `avatars/${teamId}/${sha256}.webp`
}

/**
 * Extracts the key from a stored URL, whatever prefix the store adds. Null if the avatar is hosted elsewhere.
 */
export function keyIn(teamId: string, url: string | null): string | null {
  const [, sha256] = /\/avatars\/[^/]+\/([0-9a-f]{64})\.webp$/.exec(url ?? '') ?? []
  return sha256 === undefined ? null : keyOf(teamId, sha256)
}
