import { markMessagesRead, messageLimits, writeMessage } from '@pennant/contract/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { messagesQuery, threadQuery } from '../../api/messages.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { LoadState } from '../../layout/states/load-state.tsx'
import { MessageList } from '../../layout/message-list/message-list.tsx'
import { statusOf } from '../../layout/message-list/status-of.ts'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { messagesMessages } from '../../text/en/messages.ts'
import { useMessages } from '../../text/messages.ts'
import { Textarea } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './messages.module.css'

/** One thread. Opening it marks what it has as read. */
export function Thread({ id }: { readonly id: string }) {
  const text = useMessages(messagesMessages)
  const query = useQuery(threadQuery(id))
  const failure = useFailure(query)
  const { thread, messages, state } = query.data ?? {}
  usePageTitle(thread?.subject ?? text.title)
  useMarkRead(id, thread?.unread ?? 0, messages?.at(-1)?.number ?? 0)
  return (
    <>
      <Link to={paths.messages()}>{text.back}</Link>
      {thread && messages && state ? (
        <>
          <h1>
            <bdi>{thread.subject}</bdi>
          </h1>
          <p className={styles.facts}>
            <span>{text.status[statusOf(thread)]}</span>
            {thread.challengeId !== null && (
              <Link to={paths.challenge(thread.challengeId)}>{text.toChallenge}</Link>
            )}
          </p>
          <MessageList
            label={text.thread}
            messages={messages}
            authorOf={({ fromTeam, person }) => {
              if (!fromTeam) return text.organisers
              return person ? (person.name ?? text.deletedPerson) : text.yourTeam
            }}
          />
          {thread.closed && <p role="status">{text.closed}</p>}
          {!thread.closed && state !== 'open' && <p role="status">{text.states[state]}</p>}
          {!thread.closed && state === 'open' && <ReplyForm id={id} />}
        </>
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={3} height="5rem" />
        </LoadState>
      )}
    </>
  )
}

/** Marks the thread as read whenever it has something unread. A failure is repeated when the thread is read again. */
function useMarkRead(id: string, unread: number, number: number): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (unread === 0) return
    void send(markMessagesRead, { params: { id }, body: { number } })
      .then(() => queries.invalidateQueries({ queryKey: messagesQuery.queryKey }))
      .catch(() => {})
  }, [queries, id, unread, number])
}

function ReplyForm({ id }: { readonly id: string }) {
  const text = useMessages(messagesMessages)
  const queries = useQueryClient()
  const action = useAction()
  const form = useForm({
    initial: { content: '' },
    validate: ({ content }) => ({ content: content.trim() === '' ? text.errors.missing : undefined }),
    async submit({ content }) {
      const response = await action.run(async () =>
        withTexts(await send(writeMessage, { params: { id }, body: { content } }), text.refused),
      )
      if (response) form.reset({ content: '' })
      await queries.invalidateQueries({ queryKey: messagesQuery.queryKey })
    },
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Textarea
        {...form.field('content')}
        label={text.reply}
        help={text.contentHelp}
        required
        counted
        rows={4}
        maxLength={messageLimits.content}
      />
      <FailureLine>{action.failure}</FailureLine>
      <ActionButton type="submit" waitS={action.waitS} busy={form.isSubmitting}>
        {text.send}
      </ActionButton>
      <LeaveGuard isDirty={form.values.content !== ''} />
    </form>
  )
}
