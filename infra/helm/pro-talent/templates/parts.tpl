{{- /* What every workload has. Each takes its name; only what Go's templates have themselves is used. */}}
{{- define "labels" }}{ app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: pro-talent }{{ end }}
{{- define "selected" }}{ matchLabels: { app.kubernetes.io/name: {{ . }} } }{{ end }}
{{- define "namespace" }}namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ . }} } }{{ end }}

{{- define "pod" }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      # Longer than a service is drained and closes, and than the gateway is still sent requests.
      terminationGracePeriodSeconds: 40
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {{ template "selected" . }}
{{- end }}

{{- define "served" }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ . }}
  labels: {{ template "labels" . }}
spec:
  selector: { app.kubernetes.io/name: {{ . }} }
  ports:
    - { name: http, port: 3000, targetPort: http }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ . }}
spec:
  maxUnavailable: 1
  # One that is not ready must not keep its node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector: {{ template "selected" . }}
{{- end }}
