import type { TeamActivity } from '@pennant/contract/people.ts'
import type { z } from 'zod'
import { peopleMessages } from '../text/en/people.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { EmptyState } from '../ui/states/messages.tsx'

type Action = z.output<typeof TeamActivity>['actions'][number]

interface PersonProps {
  /** Absent for the token of the team itself. */
  readonly person: { readonly name: string | null } | undefined
  /** Absent for what was done without one. */
  readonly apiToken?: { readonly name: string | null } | undefined
}

/** Who of a team did something, and with which API token. */
export function PersonName({ person, apiToken }: PersonProps) {
  const { activity: text } = useMessages(peopleMessages)
  if (apiToken)
    return (
      <>
        {person && (
          <>
            <PersonName person={person} />{' '}
          </>
        )}
        <span className="pn-muted">
          {text.apiToken} <bdi>{apiToken.name}</bdi>
        </span>
      </>
    )
  if (!person) return <span className="pn-muted">{text.teamToken}</span>
  return person.name === null ? text.deleted : <bdi>{person.name}</bdi>
}

/** What the people of a team did, newest first. */
export function ActivityList({ actions }: { readonly actions: readonly Action[] }) {
  const { activity: text } = useMessages(peopleMessages)
  const format = useFormat()
  if (actions.length === 0) return <EmptyState isPart>{text.none}</EmptyState>
  return (
    <>
      <p className="pn-fine pn-flat pn-muted">{text.about}</p>
      <ul className="pn-list pn-gap-2 pn-grid">
        {actions.map(({ kind, challengeName, person, apiToken, at }, index) => (
          // Several may have happened in the same millisecond, and the list is never sorted.
          <li key={`${at} ${index}`} className="pn-words">
            <b>
              <PersonName person={person} apiToken={apiToken} />
            </b>{' '}
            {challengeName === null ? (
              text.asked
            ) : (
              <>
                {text.kinds[kind]} <bdi>{challengeName}</bdi>
              </>
            )}{' '}
            <time className="pn-fine pn-muted" dateTime={new Date(at).toISOString()}>
              {format.dateTime(at)}
            </time>
          </li>
        ))}
      </ul>
    </>
  )
}
