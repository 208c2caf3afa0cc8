import { updateMessageThread, answerMessageThread, messageLimits } from '@pennant/contract/messages.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { MessageList } from '../../layout/message-list/message-list.tsx'
import { statusOf } from '../../layout/message-list/status-of.ts'
import { withTexts } from '../../layout/message-list/with-texts.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { adminMessagesMessages } from '../../text/en/admin-messages.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, Textarea } from '../../ui/fields/inputs.tsx'
import styles from './admin-messages.module.css'
import { ADMIN_MESSAGES_KEY, adminThreadQuery, type AdminThread, messageOptionsQuery } from './queries.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { useForm } from '../../ui/form.ts'

/** One thread: who answers it, its messages and the form of the answer. */
export function Thread({ id }: { readonly id: string }) {
  const text = useMessages(adminMessagesMessages)
  const query = useQuery(adminThreadQuery(id))
  const { thread, messages, assignable = [] } = query.data ?? {}
  const own = useOwnTeam().team
  const ownId = own?.id
  const mayAnnounce = hasPermissions(own?.perms ?? 0, ['settingsWrite'])
  return (
    <OrganiserPage title={thread?.subject ?? text.thread}>
      <Link to={paths.adminMessages()}>{text.back}</Link>
      {thread && messages ? (
        <div className={styles.narrow}>
          <Facts thread={thread} />
          <Actions thread={thread} ownId={ownId} assignable={assignable} />
          <MessageList
            label={text.thread}
            messages={messages}
            authorOf={({ fromTeam, author, person, apiToken }) => {
              const account = fromTeam
                ? thread.team.name
                : author
                  ? text.organiser(author.name)
                  : text.deleted
              const by = apiToken ? text.ofAccount(text.ofToken(apiToken.name ?? ''), account) : account
              return person ? text.ofAccount(person.name ?? text.deletedPerson, by) : by
            }}
            actionOf={({ fromTeam, content }) =>
              mayAnnounce &&
              !fromTeam && (
                <Link
                  to={paths.adminAnnouncements()}
                  state={{ announce: { title: thread.subject, content } }}
                >
                  {text.announce}
                </Link>
              )
            }
          />
          {thread.assignee !== null && thread.assignee.id !== ownId ? (
            <p role="status">{text.assignedTo(thread.assignee.name)}</p>
          ) : (
            <AnswerForm thread={thread} />
          )}
        </div>
      ) : (
        <Waiting query={query} rows={4} />
      )}
    </OrganiserPage>
  )
}

function Facts({ thread }: { readonly thread: AdminThread }) {
  const text = useMessages(adminMessagesMessages)
  const perms = useOwnTeam().team?.perms ?? 0
  const { team, challengeId, challengeName, assignee } = thread
  return (
    <dl className={styles.facts}>
      <dt>{text.team}</dt>
      <dd>
        <Link to={hasPermissions(perms, ['usersWrite']) ? paths.adminTeam(team.id) : paths.team(team.id)}>
          <bdi>{team.name}</bdi>
        </Link>
      </dd>
      <dt>{text.challenge}</dt>
      <dd>
        {challengeId === null ? (
          text.general
        ) : (
          <Link to={paths.adminChallenge(challengeId)}>
            <bdi>{challengeName ?? challengeId}</bdi>
          </Link>
        )}
      </dd>
      <dt>{text.assignee}</dt>
      <dd>{assignee ? <bdi>{assignee.name}</bdi> : text.nobody}</dd>
      <dt>{text.status}</dt>
      <dd>{text.statuses[statusOf(thread)]}</dd>
    </dl>
  )
}

interface ActionsProps {
  readonly thread: AdminThread
  readonly ownId: string | undefined
  /** Who may answer it. */
  readonly assignable: readonly { readonly id: string; readonly name: string }[]
}

/** Claim, release, close and reopen. A conflict shows the current state. */
function Actions({ thread, ownId, assignable }: ActionsProps) {
  const text = useMessages(adminMessagesMessages)
  const queries = useQueryClient()
  const action = useAction()
  const { id, version, assignee, closed } = thread
  const isMine = assignee !== null && assignee.id === ownId
  const others = assignable.filter((each) => each.id !== ownId && each.id !== assignee?.id)
  const change = async (patch: { assigneeId?: string | null; closed?: boolean }) => {
    const request = { params: { id }, body: { data: { version, ...patch } } }
    await action.run(async () => withTexts(await send(updateMessageThread, request), text.refused))
    await queries.invalidateQueries({ queryKey: ADMIN_MESSAGES_KEY })
  }
  return (
    <div>
      <div className={styles.actions}>
        {isMine ? (
          <Button busy={action.isPending} onClick={() => void change({ assigneeId: null })}>
            {text.release}
          </Button>
        ) : (
          <Button
            tone="primary"
            busy={action.isPending || ownId === undefined}
            onClick={() => void change({ assigneeId: ownId ?? null })}
          >
            {assignee ? text.takeOver : text.claim}
          </Button>
        )}
        <Button busy={action.isPending} onClick={() => void change({ closed: !closed })}>
          {closed ? text.reopen : text.close}
        </Button>
      </div>
      {others.length > 0 && (
        <Select
          label={text.assignTo}
          value=""
          placeholder={text.choose}
          disabled={action.isPending}
          onChange={(to) => to !== '' && void change({ assigneeId: to })}
          choices={others.map((each) => ({ value: each.id, label: each.name }))}
        />
      )}
      <FailureLine>{action.failure}</FailureLine>
    </div>
  )
}

/** Answers a thread, with a canned answer if wanted. What was typed stays if someone else was faster. */
function AnswerForm({ thread }: { readonly thread: AdminThread }) {
  const text = useMessages(adminMessagesMessages)
  const queries = useQueryClient()
  const sent = useSuccess(text.sent)
  const action = useAction()
  const { id, version } = thread
  const form = useForm({
    initial: { content: '', close: false },
    validate: ({ content }) => ({ content: content.trim() === '' ? text.errors.missing : undefined }),
    submit: ({ content, close }) => answer(content, close),
  })
  const { content } = form.values

  async function answer(answered: string, close: boolean): Promise<void> {
    const request = { params: { id }, body: { data: { content: answered, version, close } } }
    const response = await action.run(async () =>
      withTexts(await send(answerMessageThread, request), text.refused),
    )
    if (response) {
      form.reset({ content: '', close: false })
      sent.show()
    }
    await queries.invalidateQueries({ queryKey: ADMIN_MESSAGES_KEY })
  }

  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Canned onPick={(picked) => form.set({ content: joined(content, picked) })} />
      <Textarea
        {...form.field('content')}
        label={text.answer}
        help={text.answerHelp}
        required
        counted
        rows={6}
        maxLength={messageLimits.content}
      />
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <Button tone="primary" type="submit" busy={form.isSubmitting || action.isPending} success={sent}>
          {text.send}
        </Button>
        <Button
          type="button"
          busy={action.isPending}
          disabledBecause={content.trim() === '' ? text.errors.missing : undefined}
          onClick={() => void answer(content, true)}
        >
          {text.sendAndClose}
        </Button>
      </div>
      <LeaveGuard isDirty={content !== ''} />
    </form>
  )
}

function joined(content: string, picked: string): string {
  const whole = content.trim() === '' ? picked : `${content.trimEnd()}\n\n${picked}`
  return whole.slice(0, messageLimits.content)
}

/** Inserts a canned answer. Without any, nothing is shown. */
function Canned({ onPick }: { readonly onPick: (content: string) => void }) {
  const text = useMessages(adminMessagesMessages)
  const answers = useQuery(messageOptionsQuery).data?.answers ?? []
  if (answers.length === 0) return null
  return (
    <Select
      label={text.canned}
      value=""
      placeholder={text.choose}
      onChange={(at) => {
        const picked = answers[Number(at)]
        if (at !== '' && picked) onPick(picked.content)
      }}
      choices={answers.map(({ title }, at) => ({ value: String(at), label: title }))}
    />
  )
}
