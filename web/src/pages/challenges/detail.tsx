import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { Tabs } from '../../ui/layers/tabs.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './challenges.module.css'
import { Files } from './files.tsx'
import { FlagArea } from './flag-area.tsx'
import type { Challenge } from './list-rules.ts'
import { LiveArea } from './live-area.tsx'
import { Solves } from './solves.tsx'
import { words } from './words.ts'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

interface DetailProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
}

/** One challenge: what it says, its files, who solved it, and where its flag goes. */
export function Detail({ challenge, isSolved }: DetailProps) {
  const text = useText(words)
  const [search, setSearch] = useSearchParams()
  const show = (id: string) => {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (id === 'details') next.delete('tab')
        else next.set('tab', id)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const details = (
    <>
      <div className={styles.description}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <Markdown text={challenge.description} timer={<EventClock />} />
        </Suspense>
      </div>
      <Files files={challenge.files} />
    </>
  )
  const tabs = [
    { id: 'details', label: text.details, content: details },
    { id: 'solves', label: text.solvesTab, content: <Solves id={challenge.id} /> },
  ]
  return (
    <article className={styles.detail}>
      <Head challenge={challenge} suffix={search.toString()} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Tabs
            label={text.tabs}
            tabs={tabs}
            value={search.get('tab') ?? 'details'}
            onChange={show}
            keep={false}
          />
        </div>
        <aside className={styles.side}>
          <FlagArea challenge={challenge} isSolved={isSolved} />
          <LiveArea challenge={challenge} />
        </aside>
      </div>
    </article>
  )
}

function Head({ challenge, suffix }: { readonly challenge: Challenge; readonly suffix: string }) {
  const text = useText(words)
  const format = useFormat()
  const { id, name, author, category, points, solves } = challenge
  return (
    <header className={styles.head}>
      <Link className={styles.back} to={{ pathname: paths.challenges(), search: suffix }}>
        {text.back}
      </Link>
      <h2 className={styles.title}>
        <bdi>{name}</bdi>
      </h2>
      <div className={styles.facts}>
        <CategoryMark name={category} form="chip" />
        {author !== '' && <span>{text.by(author)}</span>}
        <span>
          <b className={styles.points}>{format.number(points)}</b> {text.pointsShort}
        </span>
        <Link to={{ search: '?tab=solves' }}>{text.solves(solves, format.number(solves))}</Link>
        <CopyButton tone="quiet" text={() => new URL(paths.challenge(id), location.href).href}>
          {text.copyLink}
        </CopyButton>
      </div>
    </header>
  )
}

/** Stands where a description says `<timer/>`: to the start, then to the end. */
function EventClock() {
  const config = useConfig()
  const now = useNow()
  if (!config) return null
  const until = now < config.startTime ? config.startTime : config.endTime
  return <TimeLeft leftMs={until - now} long />
}
