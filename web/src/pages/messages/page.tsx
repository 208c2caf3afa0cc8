import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { useMessageThreads, type TeamThread } from '../../api/messages.ts'
import { useIsArchive, useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { statusOf } from '../../layout/message-list/status-of.ts'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { messagesMessages } from '../../text/en/messages.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Panel, Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { AskForm } from './ask-form.tsx'
import styles from './messages.module.css'
import { Thread } from './thread.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Questions of the own team to the organisers, or one of them. */
export function Component() {
  const { id } = useParams()
  const { isSignedIn } = useOwnTeam()
  const isArchive = useIsArchive()
  if (!isSignedIn || isArchive) return <SignInFirst />
  return <div className={styles.page}>{id === undefined ? <Overview /> : <Thread key={id} id={id} />}</div>
}

function Overview() {
  const text = useMessages(messagesMessages)
  const frame = useMessages(frameMessages)
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const query = useMessageThreads()
  const failure = useFailure(query)
  usePageTitle(text.title)
  const { threads, state } = query.data ?? {}
  return (
    <>
      <h1>{text.title}</h1>
      <p className="pn-muted">{text.about}</p>
      {state !== undefined && state !== 'open' && (
        <Panel>
          <p role="status">{text.states[state]}</p>
        </Panel>
      )}
      {state === 'open' && (
        <Panel title={text.new}>
          <AskForm
            challengeId={search.get('challenge') ?? ''}
            onSent={(sent) => void navigate(paths.message(sent))}
          />
        </Panel>
      )}
      {threads ? (
        <Section title={text.threads}>
          {threads.length === 0 && (
            <EmptyState action={<Link to={paths.announcements()}>{frame.organiser.announcements}</Link>}>
              {text.none}
            </EmptyState>
          )}
          <ul className="pn-stack pn-list pn-gap-2">
            {threads.map((thread) => (
              <ThreadRow key={thread.id} thread={thread} />
            ))}
          </ul>
        </Section>
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={3} height="4rem" />
        </LoadState>
      )}
    </>
  )
}

function ThreadRow({ thread }: { readonly thread: TeamThread }) {
  const text = useMessages(messagesMessages)
  const format = useFormat()
  const { id, subject, unread, lastMessageAt } = thread
  return (
    <li className={styles.thread} data-unread={unread > 0}>
      <Link to={paths.message(id)}>
        <bdi>{subject}</bdi>
      </Link>
      <span className={styles.facts}>
        {unread > 0 && <b>{text.unread(unread)}</b>}
        <span>{text.status[statusOf(thread)]}</span>
        <time dateTime={new Date(lastMessageAt).toISOString()}>{format.dateTime(lastMessageAt)}</time>
      </span>
    </li>
  )
}
