/** Where a team's picture is kept. The content names it, so that a new picture never has an old one's address. */
export function keyOf(teamId: string, sha256: string): string {
  return `avatars/${teamId}/${sha256}.webp`
}

/** The key behind a stored address, whatever the store puts before it. Null for a picture that is kept elsewhere. */
export function keyIn(teamId: string, url: string | null): string | null {
  const [, sha256] = /\/avatars\/[^/]+\/([0-9a-f]{64})\.webp$/.exec(url ?? '') ?? []
  return sha256 === undefined ? null : keyOf(teamId, sha256)
}
