import { lazy, Suspense, type ReactNode } from 'react'
import { useFormat } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './message-list.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

interface Shown {
  readonly number: number
  readonly fromTeam: boolean
  readonly content: string
  readonly createdAt: number
}

interface MessageListProps<M extends Shown> {
  readonly label: string
  readonly messages: readonly M[]
  readonly authorOf: (message: M) => string
  readonly actionOf?: (message: M) => ReactNode
}

/** The messages of a thread, oldest first. What teams write may not load pictures from elsewhere. */
export function MessageList<M extends Shown>({ label, messages, authorOf, actionOf }: MessageListProps<M>) {
  const format = useFormat()
  return (
    <ol className="pn-stack pn-list pn-gap-3" aria-label={label}>
      {messages.map((message) => (
        <li
          key={message.number}
          className={styles.message}
          data-from={message.fromTeam ? 'team' : 'organisers'}
        >
          <p className={styles.head}>
            <b>
              <bdi>{authorOf(message)}</bdi>
            </b>
            <time dateTime={new Date(message.createdAt).toISOString()}>
              {format.dateTime(message.createdAt)}
            </time>
            {actionOf?.(message)}
          </p>
          <Suspense fallback={<Skeleton rows={1} />}>
            <Markdown text={message.content} hasPictures={!message.fromTeam} />
          </Suspense>
        </li>
      ))}
    </ol>
  )
}
