package main

// module is a module to try, or some packages of one.
type module struct {
	path, version string
	packages      []string // patterns; all where there are none
}

var modules = []module{
	{path: "github.com/aws/aws-sdk-go-v2/service/dynamodb", version: "v1.38.1"},
	{path: "github.com/go-chi/chi/v5", version: "v5.2.0"},
	{path: "github.com/go-sql-driver/mysql", version: "v1.8.1"},
	{path: "github.com/jackc/pgx/v5", version: "v5.7.2"},
	{path: "github.com/lib/pq", version: "v1.10.9"},
	{path: "github.com/minio/minio-go/v7", version: "v7.0.82", packages: []string{".", "./pkg/..."}},
	{path: "github.com/prometheus/client_golang", version: "v1.20.5", packages: []string{"./api/...", "./prometheus/..."}},
	{path: "github.com/redis/go-redis/v9", version: "v9.7.0"},
	{path: "go.temporal.io/sdk", version: "v1.31.0"},
	{path: "golang.org/x/oauth2", version: "v0.24.0"},
	{path: "google.golang.org/grpc", version: "v1.69.2", packages: []string{".", "./balancer/...", "./channelz/...", "./credentials/...", "./health/...", "./reflection/...", "./resolver/..."}},
	{path: "gorm.io/gorm", version: "v1.25.12"},
	{path: "k8s.io/client-go", version: "v0.31.4", packages: []string{"./kubernetes/typed/core/v1", "./kubernetes/typed/apps/v1", "./rest"}},
}
