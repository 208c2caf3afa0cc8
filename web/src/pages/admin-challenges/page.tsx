import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { kindOf } from '../../api/failure.ts'
import { useConfig } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { NotFound } from '../../ui/states/messages.tsx'
import styles from './challenges.module.css'
import { ChallengeEditor } from './editor/challenge-editor.tsx'
import { allChallengesQuery, instancersQuery, oneChallengeQuery } from './queries.ts'
import { Tree } from './tree/tree.tsx'

/** The challenge list next to the open challenge; a narrow screen shows one of them. */
export function Component() {
  const text = useMessages(adminChallengesMessages)
  const { id } = useParams()
  const known = useQuery(allChallengesQuery).data?.find((challenge) => challenge.id === id)
  const [isTreeOpen, setTreeOpen] = useState(false)
  return (
    <OrganiserPage title={text.title} documentTitle={known && text.edit(known.name)}>
      <div className={styles.page} data-open={id === undefined ? undefined : ''}>
        <div className={styles.tree}>
          <Tree current={id} />
        </div>
        <div className={styles.open}>
          {id === undefined ? (
            <p className={styles.pick}>{text.pick}</p>
          ) : (
            <>
              <div className={styles.toTree}>
                <Button icon="menu" onClick={() => setTreeOpen(true)}>
                  {text.allChallenges}
                </Button>
              </div>
              <Opened key={id} id={id} />
            </>
          )}
        </div>
      </div>
      <Sheet open={isTreeOpen} onClose={() => setTreeOpen(false)} title={text.allChallenges}>
        <Tree current={id} onChosen={() => setTreeOpen(false)} />
      </Sheet>
    </OrganiserPage>
  )
}

function Opened({ id }: { readonly id: string }) {
  const text = useMessages(adminChallengesMessages)
  const query = useQuery(oneChallengeQuery(id))
  // Without it, a part of the form would grow later and move what is below it.
  const instancers = useQuery({ ...instancersQuery, enabled: useConfig()?.instancerEnabled ?? false })
  if (kindOf(query.error) === 'badChallenge')
    return (
      <NotFound title={text.notFound} action={<Link to={paths.adminChallenges()}>{text.allChallenges}</Link>}>
        {text.notFoundText}
      </NotFound>
    )
  // Cached data can be stale: the editor must start from the stored version.
  const isStale = query.isFetching && !query.isFetchedAfterMount
  if (!query.data || isStale || (instancers.isLoading && instancers.failureCount === 0))
    return <Waiting query={query} rows={10} />
  return <ChallengeEditor challenge={query.data} />
}
