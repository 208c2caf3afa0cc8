import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { useMessageThreads, type TeamThread, messagesQuery } from '../../api/messages.ts'
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
import styles from './messages.module.css'
import { Thread } from './thread.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { messageLimits, startMessageThread } from '@pennant/contract/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { challengesQuery } from '../../api/queries.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { announce } from '../../ui/announcer.tsx'

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

interface AskFormProps {
  /** Selected at first; empty for a general question. */
  readonly challengeId: string
  readonly onSent: (threadId: string) => void
}

/** Starts a thread. */
function AskForm({ challengeId, onSent }: AskFormProps) {
  const text = useMessages(messagesMessages)
  const queries = useQueryClient()
  const action = useAction()
  const [sentId, setSentId] = useState<string>()
  // Once the form is empty again, so that leaving it needs no confirmation.
  useEffect(() => {
    if (sentId !== undefined) onSent(sentId)
    // oxlint-disable-next-line react/exhaustive-deps -- once per message
  }, [sentId])
  const challenges = useQuery(challengesQuery()).data ?? []
  const missing = (value: string) => (value.trim() === '' ? text.errors.missing : undefined)
  const form = useForm({
    initial: { subject: '', challengeId, content: '' },
    validate: ({ subject, content }) => ({ subject: missing(subject), content: missing(content) }),
    async submit(values) {
      const about = values.challengeId === '' ? {} : { challengeId: values.challengeId }
      const body = { subject: values.subject, content: values.content, ...about }
      const response = await action.run(async () =>
        withTexts(await send(startMessageThread, { body }), text.refused),
      )
      if (response?.kind !== 'goodMessageSend') return
      form.reset({ subject: '', challengeId: '', content: '' })
      void queries.invalidateQueries({ queryKey: messagesQuery.queryKey })
      announce(text.sent)
      setSentId(response.data.thread.id)
    },
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Select
        {...form.field('challengeId')}
        label={text.challenge}
        placeholder={text.general}
        choices={challenges.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput
        {...form.field('subject')}
        label={text.subject}
        required
        maxLength={messageLimits.subject}
        autoComplete="off"
      />
      <Textarea
        {...form.field('content')}
        label={text.content}
        help={text.contentHelp}
        required
        counted
        rows={5}
        maxLength={messageLimits.content}
      />
      <FailureLine>{action.failure}</FailureLine>
      <ActionButton type="submit" waitS={action.waitS} busy={form.isSubmitting}>
        {text.send}
      </ActionButton>
      <LeaveGuard isDirty={form.values.subject !== '' || form.values.content !== ''} />
    </form>
  )
}
