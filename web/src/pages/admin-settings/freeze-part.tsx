import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { requestData } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { notifyOtherTabs } from '../../api/other-tabs.ts'
import { configQuery } from '../../api/queries.ts'
import { useTimed } from '../../state/clock.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { freezeMessages } from '../../text/en/freeze.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { AskButton } from '../../ui/layers/confirm.tsx'
import { draftTimeOf, fieldTimeOf, valuesOf } from './draft.ts'
import { settingsQuery } from './queries.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import type { SettingsForm } from './use-settings.ts'

/** When the standings freeze, and the publication of the results: docs/reference/freeze.md */
export function FreezePart({
  form,
  isPublished,
}: {
  readonly form: SettingsForm
  readonly isPublished: boolean
}) {
  const text = useMessages(adminSettingsMessages)
  const { freezeTime } = form.values
  return (
    <>
      <Setting form={form} name="freezeTime">
        <DateTime
          name="freezeTime"
          label={text.names.freezeTime}
          value={fieldTimeOf(freezeTime)}
          error={form.errors['freezeTime']}
          onChange={(at) => form.set({ freezeTime: at === null ? null : draftTimeOf(at) })}
        />
      </Setting>
      <Publication since={valuesOf(form.saved).freezeTime} isPublished={isPublished} />
    </>
  )
}

interface PublicationProps {
  /** The saved freeze time; NaN without one. */
  readonly since: number
  readonly isPublished: boolean
}

function Publication({ since, isPublished }: PublicationProps) {
  const text = useMessages(freezeMessages)
  const format = useFormat()
  const isFrozen = useTimed((now) => now >= since)
  if (Number.isNaN(since)) return null
  if (isPublished) return <p className={styles.note}>{text.published}</p>
  const at = format.dateTime(since)
  if (!isFrozen) return <p className={styles.note}>{text.upcomingNote(at)}</p>
  return (
    <>
      <p className={styles.note}>{text.publishNote(at)}</p>
      <PublishButton />
    </>
  )
}

function PublishButton() {
  const text = useMessages(freezeMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const publishing = useMutation({
    mutationFn: () => requestData(updateSettings, { body: { data: { resultsPublished: true } } }),
    async onSuccess(saved) {
      queries.setQueryData(settingsQuery.queryKey, saved)
      notifyOtherTabs()
      await queries.invalidateQueries({ queryKey: configQuery.queryKey })
    },
  })
  return (
    <div>
      <AskButton
        tone="primary"
        title={text.publishTitle}
        about={<p>{text.publishText}</p>}
        action={text.publish}
        busy={publishing.isPending}
        onConfirm={() => publishing.mutateAsync().catch(() => null)}
      />
      <FailureLine>
        {publishing.error instanceof RequestFailure ? errorText(publishing.error) : undefined}
      </FailureLine>
    </div>
  )
}
