import { lazy, Suspense } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { PhaseText } from '../layout/phase-clock.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import type { Challenge } from './challenge.ts'
import styles from './challenge.module.css'
import { Files } from './files.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/rich/markdown.tsx')).Markdown }))

/** The description of a challenge and its files. */
export function Statement({ description, files }: Pick<Challenge, 'description' | 'files'>) {
  return (
    <>
      <div className={styles.description}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <Markdown text={description} timer={<EventClock />} />
        </Suspense>
      </div>
      <Files files={files} />
    </>
  )
}

/** Replaces `<timer/>` in a description. */
function EventClock() {
  const config = useConfig()
  return config && <PhaseText config={config} />
}
