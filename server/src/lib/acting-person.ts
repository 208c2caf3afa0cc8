/** The name of a person; null for one who was deleted. */
export type PersonName = (id: string) => string | null

/** `person` of what a team did; nothing for the token of the team itself, which names no one. */
export function actingPerson(id: string | null, nameOf: PersonName) {
  return id === null ? {} : { person: { id, name: nameOf(id) } }
}
