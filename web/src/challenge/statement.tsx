import { lazy, Suspense } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { PhaseText } from '../layout/header/phase-clock.tsx'
import { useUiMessages } from '../ui/ui-messages.ts'
import type { Challenge } from './challenge.ts'
import styles from './challenge.module.css'
import { Files } from './files.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/rich/markdown.tsx')).Markdown }))

/** The description of a challenge and its files. */
export function Statement({ description, files }: Pick<Challenge, 'description' | 'files'>) {
  return (
    <>
      <div className={styles.description}>
        <Suspense fallback={<Waiting description={description} />}>
          <Markdown text={description} timer={<EventClock />} />
        </Suspense>
      </div>
      <Files files={files} />
    </>
  )
}

/** More is out of view. */
const MAX_CHARACTERS = 2000

/** As high as the description will be, nearly: its source, without what takes no space in the result. */
function Waiting({ description }: Pick<Challenge, 'description'>) {
  const messages = useUiMessages()
  const source = description.slice(0, MAX_CHARACTERS).replaceAll(/\]\([^)]*\)|<[^>]*>/g, '')
  return (
    <div role="status" aria-label={messages.loading} className={styles.waiting}>
      <span aria-hidden="true">{source.trim()}</span>
    </div>
  )
}

/** Replaces `<timer/>` in a description. */
function EventClock() {
  const config = useConfig()
  return config && <PhaseText config={config} />
}
