/** The name of a person; null for one who was deleted. */
export type PersonName = (id: string) => string | null

/** Who of a team acted, as it is stored with what was done. */
export interface Acting {
  /** Null for the token of the team itself. */
  readonly personId: string | null
  /** Null without an API token. */
  readonly apiTokenId: string | null
  /** Stored too, because tokens are deleted; null once the personal data is erased. */
  readonly apiTokenName: string | null
}

/** `person` and `apiToken` of what a team did; neither for the token of the team itself, which names no one. */
export function acting({ personId, apiTokenId, apiTokenName }: Acting, nameOf: PersonName) {
  return {
    ...actingPerson(personId, nameOf),
    ...(apiTokenId !== null && { apiToken: { id: apiTokenId, name: apiTokenName } }),
  }
}

/** `person` of what a team did; nothing for the token of the team itself. */
export function actingPerson(id: string | null, nameOf: PersonName) {
  return id === null ? {} : { person: { id, name: nameOf(id) } }
}
