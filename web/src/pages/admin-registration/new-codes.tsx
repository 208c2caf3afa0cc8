import { createRegistrationCodes, registrationLimits } from '@pennant/contract/registration.ts'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { adminRegistrationMessages } from '../../text/en/admin-registration.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { NumberInput, Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useUiMessages } from '../../ui/ui-messages.ts'

/** Creates codes of one kind. */
export function NewCodes({ onCreated }: { readonly onCreated: () => void }) {
  const text = useMessages(adminRegistrationMessages)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button icon="plus" tone="primary" onClick={() => setOpen(true)}>
        {text.create}
      </Button>
      <Dialog open={isOpen} onClose={close} title={text.create}>
        {isOpen && (
          <NewCodesForm
            onCreated={() => {
              onCreated()
              close()
            }}
          />
        )}
      </Dialog>
    </>
  )
}

interface Values {
  readonly amount: number | null
  readonly uses: number | null
  readonly division: string
  readonly expiresAt: number | null
  readonly label: string
}

const isBetween = (value: number | null, max: number) =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= max

function NewCodesForm({ onCreated }: { readonly onCreated: () => void }) {
  const text = useMessages(adminRegistrationMessages)
  const ui = useUiMessages()
  const format = useFormat()
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  const action = useAction()
  const submit = async ({ amount, uses, division, expiresAt, label }: Values) => {
    const data = { amount: amount ?? 1, uses: uses ?? 1, division: division || null, expiresAt, label }
    const response = await action.run(() => send(createRegistrationCodes, { body: { data } }))
    if (!response) return
    announce(text.createdCount(format.number(response.data.codes.length)))
    onCreated()
  }
  const { codesAtOnce, uses: maxUses } = registrationLimits
  const form = useForm<Values>({
    initial: { amount: 10, uses: 1, division: '', expiresAt: null, label: '' },
    validate: ({ amount, uses, expiresAt }) => ({
      amount: isBetween(amount, codesAtOnce) ? undefined : text.tooMany(format.number(codesAtOnce)),
      uses: isBetween(uses, maxUses) ? undefined : text.tooMany(format.number(maxUses)),
      expiresAt: Number.isNaN(expiresAt) ? ui.incompleteTime : undefined,
    }),
    submit,
  })
  return (
    <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.errors} />
      <NumberInput {...form.field('amount')} label={text.amount} required min={1} max={codesAtOnce} />
      <NumberInput {...form.field('uses')} label={text.maxUses} required min={1} max={maxUses} />
      {divisions.length > 1 && (
        <Select
          {...form.field('division')}
          label={text.division}
          choices={[
            { value: '', label: text.anyDivision },
            ...divisions.map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      <DateTime {...form.field('expiresAt')} label={text.expires} />
      <TextInput
        {...form.field('label')}
        label={text.label}
        help={text.labelHelp}
        maxLength={registrationLimits.label}
        autoComplete="off"
      />
      <FailureLine>{action.failure}</FailureLine>
      <Button tone="primary" type="submit" busy={form.isSubmitting}>
        {text.create}
      </Button>
    </form>
  )
}
