import { getCeremony } from '@pennant/contract/replay.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { requestData } from '../../api/client.ts'
import { configQuery, OWN_KEY } from '../../api/queries.ts'
import { useOwnTeam, useMay } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { serverNow } from '../../state/clock.ts'
import { paths } from '../../paths.ts'
import { ceremonyMessages } from '../../text/en/ceremony.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { EmptyState, NoPermission } from '../../ui/states/messages.tsx'
import styles from './ceremony.module.css'
import { readCeremony, type CeremonySettings, type Problem } from './parameters.ts'
import { Stage } from './stage.tsx'

/** A reveal of the final standings, for organisers: docs/operate/ceremony.md */
export function Component() {
  const text = useMessages(ceremonyMessages)
  const frame = useMessages(frameMessages)
  usePageTitle(text.title)
  const { isSignedIn, team, query } = useOwnTeam()
  const config = useQuery(configQuery)
  const may = useMay('leaderboardRead')
  const failure = useFailure(team ? config : query)
  if (!isSignedIn)
    return (
      <main>
        <SignInFirst />
      </main>
    )
  const isReady = team && config.data
  return (
    <main className={styles.screen}>
      {!(isReady && may) && <h1 className="pn-hidden">{text.title}</h1>}
      {!isReady && <LoadState failure={failure}>{null}</LoadState>}
      {isReady && !may && (
        <NoPermission
          right={frame.right.leaderboardRead}
          action={<Link to={paths.scores()}>{frame.scoreboard}</Link>}
        />
      )}
      {isReady && may && <Loaded event={config.data} />}
    </main>
  )
}

type Event = Parameters<typeof readCeremony>[1]['event']

function Loaded({ event }: { readonly event: Event }) {
  const text = useMessages(ceremonyMessages)
  const frame = useMessages(frameMessages)
  const [search] = useSearchParams()
  const [now] = useState(() => Math.floor(serverNow()))
  const { settings, problems } = readCeremony(search, { event, now })
  const reading = useQuery({ ...ceremonyQuery(settings), enabled: problems.length === 0 })
  const failure = useFailure(reading)
  const { data } = reading
  if (problems.length > 0) return <Wrong problems={problems} />
  if (data && data.teams.length > 0) return <Stage ceremony={data} pace={settings.pace} />
  return (
    <>
      <h1 className="pn-hidden">{text.title}</h1>
      {data ? (
        <EmptyState action={<Link to={paths.scores()}>{frame.scoreboard}</Link>}>{text.nobody}</EmptyState>
      ) : (
        <LoadState failure={failure}>{null}</LoadState>
      )}
    </>
  )
}

/** Read once: nothing may change while the audience watches. */
function ceremonyQuery({ from, until, limit, division }: CeremonySettings) {
  const query = {
    from: String(from),
    until: String(until),
    limit: String(limit),
    ...(division === undefined ? {} : { division }),
  }
  return queryOptions({
    queryKey: [OWN_KEY, 'ceremony', query],
    queryFn: ({ signal }) => requestData(getCeremony, { query }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function Wrong({ problems }: { readonly problems: readonly Problem[] }) {
  const text = useMessages(ceremonyMessages)
  return (
    <div className={styles.wrong} role="alert">
      <h1>{text.wrongAddress}</h1>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{text.problem[problem]}</li>
        ))}
      </ul>
    </div>
  )
}
