{{- /* What the schema of the values cannot express. */}}
{{- $provider := dig "uploadProvider" "name" "uploads/local" .Values.config }}
{{- if and (eq $provider "uploads/local") (not .Values.uploads.existingClaim) }}
{{- fail "uploads need a bucket (config.uploadProvider) or a volume that all replicas mount (uploads.existingClaim)" }}
{{- end }}
{{- if and .Values.ingress.enabled (not (hasPrefix "https://" .Values.origin)) .Values.ingress.tlsSecret }}
{{- fail "ingress.tlsSecret is set, but origin does not begin with https://" }}
{{- end }}
{{- if hasKey .Values.config "instanceType" }}
{{- fail "config.instanceType is set by the chart: server and worker are separate deployments" }}
{{- end }}
