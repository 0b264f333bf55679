/* container.c - rows: containers and clusters.
 *
 * Reading from the daemon or cluster that the user configured is a fetch. What chooses another one
 * (-H, --context,
 * --kubeconfig, --server) is not, nor is what names a registry: an image name begins with the host
 * it is pulled from. A compose file may include others from anywhere, so a command that reads it
 * trusts the project. */
#include "programs/programs.h"

#define DOCKER  "docker CLI 28 --help"
#define COMPOSE "docker compose v2 --help"
#define KUBECTL "kubectl 1.32 --help"
/* kubectl api-resources */
#define KINDS                                                                                      \
    "componentstatuses,componentstatus,cs configmaps,configmap,cm endpoints,endpoint,ep "          \
    "events,event,ev limitranges,limitrange,limits namespaces,namespace,ns nodes,node,no "         \
    "persistentvolumeclaims,persistentvolumeclaim,pvc persistentvolumes,persistentvolume,pv "      \
    "pods,pod,po podtemplates,podtemplate replicationcontrollers,replicationcontroller,rc "        \
    "resourcequotas,resourcequota,quota secrets,secret serviceaccounts,serviceaccount,sa "         \
    "services,service,svc mutatingwebhookconfigurations,mutatingwebhookconfiguration "             \
    "validatingwebhookconfigurations,validatingwebhookconfiguration "                              \
    "customresourcedefinitions,customresourcedefinition,crd,crds apiservices,apiservice "          \
    "controllerrevisions,controllerrevision daemonsets,daemonset,ds "                              \
    "deployments,deployment,deploy "                                                               \
    "replicasets,replicaset,rs statefulsets,statefulset,sts "                                      \
    "horizontalpodautoscalers,horizontalpodautoscaler,hpa cronjobs,cronjob,cj jobs,job "           \
    "certificatesigningrequests,certificatesigningrequest,csr leases,lease "                       \
    "endpointslices,endpointslice ingressclasses,ingressclass ingresses,ingress,ing "              \
    "networkpolicies,networkpolicy,netpol poddisruptionbudgets,poddisruptionbudget,pdb "           \
    "clusterrolebindings,clusterrolebinding clusterroles,clusterrole rolebindings,rolebinding "    \
    "roles,role priorityclasses,priorityclass,pc storageclasses,storageclass,sc "                  \
    "volumeattachments,volumeattachment projects,project routes,route"
#define HELM "helm 3 --help"

/* docker run and docker create */
#define CONTAINER_OPTIONS                                                                          \
    "%--help --add-host= --annotation= -a,--attach= --cap-add= --cap-drop= --cgroup-parent= "      \
    "--cgroupns= --cidfile=W "                                                                     \
    "-c,--cpu-shares= --cpus= --cpuset-cpus= -d,--detach --detach-keys= ^privilege--device= "      \
    "--dns= "                                                                                      \
    "--dns-option= "                                                                               \
    "--dns-search= --domainname= --entrypoint=X -e,--env= --env-file=R --expose= --gpus= "         \
    "--group-add= --health-cmd=X "                                                                 \
    "--health-interval= --health-retries= --health-timeout= -h,--hostname= --init "                \
    "-i,--interactive --ip= --ip6= "                                                               \
    "--ipc= -l,--label= --label-file=R --link= --log-driver= --log-opt= --mac-address= "           \
    "-m,--memory= "                                                                                \
    "--memory-swap= ^privilege--mount= --name= --network,--net= --network-alias= "                 \
    "--no-healthcheck "                                                                            \
    "--oom-kill-disable "                                                                          \
    "^privilege--pid= --pids-limit= --platform= ^privilege--privileged -p,--publish= "             \
    "-P,--publish-all --pull= "                                                                    \
    "-q,--quiet --read-only "                                                                      \
    "--restart= --rm !--runtime= ^privilege--security-opt= --shm-size= --sig-proxy "               \
    "--stop-signal= "                                                                              \
    "--stop-timeout= "                                                                             \
    "--storage-opt= --sysctl= --tmpfs= -t,--tty --ulimit= ^privilege--use-api-socket -u,--user= "  \
    "^privilege--userns= --uts= "                                                                  \
    "^privilege-v,--volume= --volume-driver= ^privilege--volumes-from= -w,--workdir="

static const struct program_row rows[] = {
    {"buildah", "%--version %--help", "@@data", EFFECT_CODE, "buildah(1)"},
    {"crictl", "%--version %--help", "@@data", EFFECT_CODE, "crictl --help"},
    {"docker",
     "%-v,--version %--help -D,--debug -l,--log-level= !--config=R !-c,--context=N !-H,--host=N "
     "!--tls !--tlscacert=R "
     "!--tlscert=R !--tlskey=R !--tlsverify",
     "sub", 0, DOCKER, .danger = DANGER_COMMANDS, .set_by = "DOCKER_* COMPOSE_*"},
    {"docker attach", "mixed %--help --detach-keys= --no-stdin --sig-proxy", ".", EFFECT_CODE,
     DOCKER, .also = "docker container attach"},
    {"docker build",
     "mixed %--help --add-host= --build-arg= --cache-from= --cache-to= --compress -f,--file=LR "
     "--force-rm --iidfile=W "
     "--label= -m,--memory= --network= --no-cache --no-cache-filter= --platform= --progress= "
     "--pull -q,--quiet --rm "
     "--shm-size= --squash -t,--tag= --target= --ulimit= --load ^send--push -o,--output=w "
     "--secret= "
     "--ssh= "
     "--build-context= --metadata-file=W --provenance= --sbom= --builder= --check",
     "Lr", EFFECT_CODE, DOCKER, .follows = "",
     .also = "docker image build,docker builder build,docker buildx build,docker buildx b",
     .says = "builds an image with the steps of a Dockerfile"},
    {"docker builder", "%--help", "sub", 0, DOCKER},
    {"docker builder build", "=docker build", "", 0, DOCKER},
    {"docker builder prune", "mixed %--help -a,--all -f,--force --filter= --keep-storage=", "none",
     EFFECT_LOSS, DOCKER},
    {"docker buildx", "%--help --builder=", "sub", 0, "docker buildx --help"},
    {"docker buildx bake", "mixed %--help", "@@data", EFFECT_CODE, "docker buildx --help"},
    {"docker buildx build", "=docker build", "", 0, "docker buildx --help"},
    {"docker buildx du", "mixed %--help --filter= --format= --verbose --builder=", "none",
     EFFECT_FETCH, "docker buildx --help"},
    {"docker buildx inspect", "mixed %--help --builder=", ".", EFFECT_FETCH,
     "docker buildx --help"},
    {"docker buildx ls", "mixed %--help --format= --no-trunc", "none", EFFECT_FETCH,
     "docker buildx --help"},
    {"docker buildx version", "%--help", "none", 0, "docker buildx --help"},
    {"docker commit", "mixed %--help -a,--author= -c,--change= -m,--message= -p,--pause", ". .",
     EFFECT_SYSTEM, DOCKER},
    {"docker compose",
     "%-v,--version %-h,--help -p,--project-name= --profile= --ansi= --progress= --parallel= "
     "--compatibility "
     "--all-resources "
     "--dry-run -f,--file=LR --env-file=R --project-directory=R",
     "sub", 0, COMPOSE, .also = "docker-compose"},
    {"docker compose build",
     "mixed %-h,--help --build-arg= --builder= -m,--memory= --no-cache --pull ^send--push "
     "-q,--quiet "
     "--ssh= "
     "--with-dependencies",
     ".*", EFFECT_CODE, COMPOSE, .says = "builds images with the steps of their Dockerfiles"},
    {"docker compose config",
     /* the whole of it shows what .env files and the environment put in */
     "mixed %-h,--help --services --images --volumes --networks --profiles --environment "
     "--variables -q,--quiet "
     "--no-interpolate "
     "--no-normalize --no-path-resolution --no-consistency --no-env-resolution --hash= --format= "
     "--resolve-image-digests "
     "-o,--output=W",
     "{--environment} ^secrets .* | "
     "{--services,--images,--volumes,--networks,--profiles,-q,--no-interpolate} .* | ^secrets .*",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose cp", "mixed %-h,--help", "^send LR LW", EFFECT_CODE, COMPOSE},
    {"docker compose create", "%-h,--help", "@@data", EFFECT_CODE, COMPOSE},
    {"docker compose down",
     "mixed %-h,--help --remove-orphans -t,--timeout= ^loss-v,--volumes ^loss--rmi=", ".*",
     EFFECT_LOSS, COMPOSE},
    {"docker compose events", "mixed %-h,--help --json --since= --until=", ".*",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose exec",
     "%-h,--help -d,--detach -e,--env= --index= -T,--no-TTY -t,--tty -i,--interactive --privileged "
     "-u,--user= "
     "-w,--workdir=",
     ". I", EFFECT_CODE, COMPOSE, .says = "runs a command in a container"},
    {"docker compose images", "mixed %-h,--help --format= -q,--quiet", ".*",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose kill", "mixed %-h,--help --remove-orphans -s,--signal=", ".*", EFFECT_PROCESS,
     COMPOSE},
    {"docker compose logs",
     "mixed %-h,--help -f,--follow --index= --no-color --no-log-prefix --since= -n,--tail= "
     "-t,--timestamps --until=",
     ".*", EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose ls", "mixed %-h,--help -a,--all --filter= --format= -q,--quiet", "none",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose pause", "mixed %-h,--help", ".*", EFFECT_PROCESS, COMPOSE},
    {"docker compose port", "mixed %-h,--help --index= --protocol=", ". .",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose ps",
     "mixed %-h,--help -a,--all --filter= --format= --no-trunc --orphans -q,--quiet --services "
     "--status=",
     ".*", EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose pull",
     "mixed %-h,--help --ignore-buildable --ignore-pull-failures --include-deps --policy= "
     "-q,--quiet",
     ".*", EFFECT_NETWORK, COMPOSE},
    {"docker compose push", "mixed %-h,--help --ignore-push-failures --include-deps -q,--quiet",
     ".*", EFFECT_SEND, COMPOSE},
    {"docker compose restart", "mixed %-h,--help --no-deps -t,--timeout=", ".*",
     EFFECT_CODE | EFFECT_PROCESS, COMPOSE},
    {"docker compose rm", "mixed %-h,--help -f,--force -s,--stop -v,--volumes", ".*", EFFECT_LOSS,
     COMPOSE},
    {"docker compose run",
     "%-h,--help --build -d,--detach --entrypoint=X -e,--env= --env-from-file=R -i,--interactive "
     "-l,--label= --name= "
     "-T,--no-TTY --no-deps "
     "-p,--publish= --pull= -q,--quiet --quiet-pull --remove-orphans --rm -P,--service-ports "
     "--use-aliases -u,--user= "
     "^privilege-v,--volume= "
     "-w,--workdir= --cap-add= --cap-drop=",
     ". I", EFFECT_CODE, COMPOSE, .says = "runs a command in a container"},
    {"docker compose start", "mixed %-h,--help --wait --wait-timeout=", ".*", EFFECT_CODE, COMPOSE},
    {"docker compose stats", "mixed %-h,--help -a,--all --format= --no-stream --no-trunc", ".",
     EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose stop", "mixed %-h,--help -t,--timeout=", ".*", EFFECT_PROCESS, COMPOSE},
    {"docker compose top", "%-h,--help", ".*", EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker compose unpause", "mixed %-h,--help", ".*", EFFECT_PROCESS, COMPOSE},
    {"docker compose up",
     "mixed %-h,--help -d,--detach --build --no-build --force-recreate --no-recreate --no-deps "
     "--no-start --pull= "
     "--quiet-pull "
     "--remove-orphans -V,--renew-anon-volumes --scale= -t,--timeout= --timestamps --wait "
     "--wait-timeout= -w,--watch "
     "-y,--yes "
     "--abort-on-container-exit --exit-code-from= --attach= --no-attach= --no-color "
     "--no-log-prefix "
     "--always-recreate-deps "
     "--attach-dependencies --menu",
     ".*", EFFECT_CODE, COMPOSE, .says = "starts the containers of a Compose file"},
    {"docker compose version", "mixed %-h,--help -f,--format= --short", "none", 0, COMPOSE},
    {"docker compose wait", "mixed %-h,--help", ".*", EFFECT_FETCH | EFFECT_PROJECT, COMPOSE},
    {"docker config", "%--help", "sub", 0, DOCKER},
    {"docker config ls", "=docker node ls", "", 0, DOCKER},
    {"docker container", "%--help", "sub", 0, DOCKER},
    {"docker container attach", "=docker attach", "", 0, DOCKER},
    {"docker container cp", "=docker cp", "", 0, DOCKER},
    {"docker container create", "=docker create", "", 0, DOCKER},
    {"docker container diff", "=docker diff", "", 0, DOCKER},
    {"docker container exec", "=docker exec", "", 0, DOCKER},
    {"docker container inspect", "=docker inspect", "", 0, DOCKER},
    {"docker container kill", "=docker kill", "", 0, DOCKER},
    {"docker container logs", "=docker logs", "", 0, DOCKER},
    {"docker container ls", "=docker ps", "", 0, DOCKER},
    {"docker container port", "=docker port", "", 0, DOCKER},
    {"docker container prune", "=docker image prune", "", 0, DOCKER},
    {"docker container ps", "=docker ps", "", 0, DOCKER},
    {"docker container restart", "=docker restart", "", 0, DOCKER},
    {"docker container rm", "=docker rm", "", 0, DOCKER},
    {"docker container run", "=docker run", "", 0, DOCKER},
    {"docker container start", "=docker start", "", 0, DOCKER},
    {"docker container stats", "=docker stats", "", 0, DOCKER},
    {"docker container stop", "=docker stop", "", 0, DOCKER},
    {"docker container top", "=docker top", "", 0, DOCKER},
    {"docker context", "%--help", "sub", 0, DOCKER},
    {"docker context ls", "mixed %--help --format= -q,--quiet", "none", 0, DOCKER},
    {"docker context show", "mixed %--help", "none", 0, DOCKER},
    {"docker context use", "mixed %--help", ".", EFFECT_SYSTEM, DOCKER},
    {"docker cp", "mixed %--help -a,--archive -L,--follow-link -q,--quiet", "^send Lr Lw",
     EFFECT_CODE, DOCKER, .also = "docker container cp"},
    {"docker create", CONTAINER_OPTIONS, ". I", EFFECT_CODE, DOCKER,
     .also = "docker container create"},
    {"docker diff", "mixed %--help", ".", EFFECT_FETCH, DOCKER, .also = "docker container diff"},
    {"docker events", "mixed %--help -f,--filter= --format= --since= --until=", "none",
     EFFECT_FETCH, DOCKER, .also = "docker system events"},
    {"docker exec",
     "%--help -d,--detach --detach-keys= -e,--env= --env-file=R -i,--interactive "
     "^privilege--privileged "
     "-t,--tty -u,--user= "
     "-w,--workdir=",
     ". I", EFFECT_CODE, DOCKER, .also = "docker container exec",
     .says = "runs a command in a container"},
    {"docker export", "mixed %--help -o,--output=W", ".", EFFECT_FETCH, DOCKER},
    {"docker history", "mixed %--help --format= -H,--human --no-trunc --platform= -q,--quiet", ".",
     EFFECT_FETCH, DOCKER, .also = "docker image history"},
    {"docker image", "%--help", "sub", 0, DOCKER},
    {"docker image build", "=docker build", "", 0, DOCKER},
    {"docker image history", "=docker history", "", 0, DOCKER},
    {"docker image inspect", "mixed %--help -f,--format= --platform=", ".*", EFFECT_FETCH, DOCKER},
    {"docker image list", "=docker images", "", 0, DOCKER},
    {"docker image ls", "=docker images", "", 0, DOCKER},
    {"docker image prune", "mixed %--help -a,--all --filter= -f,--force", "none", EFFECT_LOSS,
     DOCKER},
    {"docker image pull", "=docker pull", "", 0, DOCKER},
    {"docker image push", "=docker push", "", 0, DOCKER},
    {"docker image rm", "=docker rmi", "", 0, DOCKER},
    {"docker image tag", "=docker tag", "", 0, DOCKER},
    {"docker images",
     "mixed %--help -a,--all --digests -f,--filter= --format= --no-trunc -q,--quiet --tree", ".",
     EFFECT_FETCH, DOCKER, .also = "docker image ls,docker image list"},
    {"docker import", "mixed %--help -c,--change= -m,--message= --platform=", "LR .", EFFECT_SYSTEM,
     DOCKER},
    {"docker info", "mixed %--help -f,--format=", "none", EFFECT_FETCH, DOCKER,
     .also = "docker system info"},
    {"docker inspect",
     /* the environment of a container is where its passwords are */
     "mixed %--help -f,--format=@inspect -s,--size --type=", "{-f,--format} .* | ^secrets .*",
     EFFECT_FETCH, DOCKER, .also = "docker container inspect"},
    {"docker kill", "mixed %--help -s,--signal=", ".*", EFFECT_PROCESS, DOCKER,
     .also = "docker container kill"},
    {"docker load", "mixed %--help -i,--input=R --platform= -q,--quiet", "none", EFFECT_SYSTEM,
     DOCKER},
    {"docker login", "mixed %--help -u,--username= -p,--password= --password-stdin", "N",
     EFFECT_SECRETS | EFFECT_NETWORK, DOCKER},
    {"docker logout", "mixed %--help", ".", EFFECT_SYSTEM, DOCKER},
    {"docker logs",
     "mixed %--help --details -f,--follow --since= -n,--tail= -t,--timestamps --until=", ".",
     EFFECT_FETCH, DOCKER, .also = "docker container logs"},
    {"docker manifest", "%--help", "sub", 0, DOCKER},
    {"docker manifest inspect", "mixed %--help --insecure -v,--verbose", "N*", EFFECT_NETWORK,
     DOCKER},
    {"docker network", "%--help", "sub", 0, DOCKER},
    {"docker network connect", "mixed %--help --alias= --ip= --ip6= --link=", ". .", EFFECT_SYSTEM,
     DOCKER},
    {"docker network create",
     "mixed %--help -d,--driver= --subnet= --gateway= --internal --attachable --label= -o,--opt= "
     "--ipv6 --ip-range=",
     ".", EFFECT_SYSTEM, DOCKER},
    {"docker network disconnect", "mixed %--help -f,--force", ". .", EFFECT_SYSTEM, DOCKER},
    {"docker network inspect", "mixed %--help -f,--format= -v,--verbose", ".*", EFFECT_FETCH,
     DOCKER},
    {"docker network ls", "mixed %--help -f,--filter= --format= --no-trunc -q,--quiet", "none",
     EFFECT_FETCH, DOCKER},
    {"docker network prune", "mixed %--help --filter= -f,--force", "none", EFFECT_LOSS, DOCKER},
    {"docker network rm", "mixed %--help -f,--force", ".*", EFFECT_LOSS, DOCKER},
    {"docker node", "%--help", "sub", 0, DOCKER},
    {"docker node ls", "mixed %--help -f,--filter= --format= -q,--quiet", "none", EFFECT_FETCH,
     DOCKER},
    {"docker node ps", "=docker service ps", "", 0, DOCKER},
    {"docker pause", "mixed %--help", ".*", EFFECT_PROCESS, DOCKER},
    {"docker plugin", "%--help", "sub", 0, DOCKER},
    {"docker plugin ls", "mixed %--help -f,--filter= --format= --no-trunc -q,--quiet", "none",
     EFFECT_FETCH, DOCKER},
    {"docker port", "mixed %--help", ". .", EFFECT_FETCH, DOCKER, .also = "docker container port"},
    {"docker ps",
     "mixed %--help -a,--all -f,--filter= --format= -n,--last= -l,--latest --no-trunc -q,--quiet "
     "-s,--size",
     "none", EFFECT_FETCH, DOCKER,
     .also = "docker container ls,docker container ps,docker container list"},
    {"docker pull", "mixed %--help -a,--all-tags --disable-content-trust --platform= -q,--quiet",
     "N", EFFECT_NETWORK, DOCKER, .also = "docker image pull"},
    {"docker push", "mixed %--help -a,--all-tags --disable-content-trust --platform= -q,--quiet",
     "N", EFFECT_SEND, DOCKER, .also = "docker image push"},
    {"docker rename", "mixed %--help", ". .", EFFECT_SYSTEM, DOCKER},
    {"docker restart", "mixed %--help -s,--signal= -t,--timeout,--time=", ".*",
     EFFECT_CODE | EFFECT_PROCESS, DOCKER, .also = "docker container restart"},
    {"docker rm", "mixed %--help -f,--force -l,--link -v,--volumes", ".*", EFFECT_LOSS, DOCKER,
     .also = "docker container rm,docker container remove"},
    {"docker rmi", "mixed %--help -f,--force --no-prune --platform=", ".*", EFFECT_LOSS, DOCKER,
     .also = "docker image rm,docker image remove"},
    {"docker run", CONTAINER_OPTIONS, ". I", EFFECT_CODE, DOCKER, .also = "docker container run",
     .says = "runs a command in a container"},
    {"docker save", "mixed %--help -o,--output=W --platform=", ".*", EFFECT_FETCH, DOCKER},
    {"docker search", "mixed %--help -f,--filter= --format= --limit= --no-trunc", "N",
     EFFECT_NETWORK, DOCKER},
    {"docker secret", "%--help", "sub", 0, DOCKER},
    {"docker secret ls", "=docker node ls", "", 0, DOCKER},
    {"docker service", "%--help", "sub", 0, DOCKER},
    {"docker service logs",
     "mixed %--help --details -f,--follow --no-resolve --no-task-ids --no-trunc --raw --since= "
     "-n,--tail= "
     "-t,--timestamps",
     ".", EFFECT_FETCH, DOCKER},
    {"docker service ls", "=docker node ls", "", 0, DOCKER},
    {"docker service ps", "mixed %--help -f,--filter= --format= --no-resolve --no-trunc -q,--quiet",
     ".*", EFFECT_FETCH, DOCKER},
    {"docker stack", "%--help", "sub", 0, DOCKER},
    {"docker stack ls", "mixed %--help --format=", "none", EFFECT_FETCH, DOCKER},
    {"docker stack ps", "=docker service ps", "", 0, DOCKER},
    {"docker stack services", "mixed %--help -f,--filter= --format= -q,--quiet", ".", EFFECT_FETCH,
     DOCKER},
    {"docker start", "mixed %--help -a,--attach --detach-keys= -i,--interactive", ".*", EFFECT_CODE,
     DOCKER, .also = "docker container start"},
    {"docker stats", "mixed %--help -a,--all --format= --no-stream --no-trunc", ".*", EFFECT_FETCH,
     DOCKER, .also = "docker container stats"},
    {"docker stop", "mixed %--help -s,--signal= -t,--timeout,--time=", ".*", EFFECT_PROCESS, DOCKER,
     .also = "docker container stop"},
    {"docker system", "%--help", "sub", 0, DOCKER},
    {"docker system df", "mixed %--help --format= -v,--verbose", "none", EFFECT_FETCH, DOCKER},
    {"docker system events", "=docker events", "", 0, DOCKER},
    {"docker system info", "=docker info", "", 0, DOCKER},
    {"docker system prune", "mixed %--help -a,--all --filter= -f,--force --volumes", "none",
     EFFECT_LOSS, DOCKER},
    {"docker tag", "mixed %--help", ". .", EFFECT_SYSTEM, DOCKER, .also = "docker image tag"},
    {"docker top", "%--help", ". .*", EFFECT_FETCH, DOCKER, .also = "docker container top"},
    {"docker trust", "%--help", "sub", 0, DOCKER},
    {"docker trust inspect", "mixed %--help --pretty", "N*", EFFECT_NETWORK, DOCKER},
    {"docker unpause", "mixed %--help", ".*", EFFECT_PROCESS, DOCKER},
    {"docker update", "mixed %--help", "@@data", EFFECT_SYSTEM, DOCKER},
    {"docker version", "mixed %--help -f,--format=", "none", EFFECT_FETCH, DOCKER},
    {"docker volume", "%--help", "sub", 0, DOCKER},
    {"docker volume create", "mixed %--help -d,--driver= --label= --name= ^privilege-o,--opt=", ".",
     EFFECT_SYSTEM, DOCKER},
    {"docker volume inspect", "mixed %--help -f,--format=", ".*", EFFECT_FETCH, DOCKER},
    {"docker volume ls", "mixed %--help --cluster -f,--filter= --format= -q,--quiet", "none",
     EFFECT_FETCH, DOCKER},
    {"docker volume prune", "mixed %--help -a,--all --filter= -f,--force", "none", EFFECT_LOSS,
     DOCKER},
    {"docker volume rm", "mixed %--help -f,--force", ".*", EFFECT_LOSS, DOCKER},
    {"docker wait", "mixed %--help", ".*", EFFECT_FETCH, DOCKER},
    {"docker-compose", "=docker compose", "", 0, COMPOSE},
    {"helm",
     "global %-h,--help --debug -n,--namespace= --kube-context= !--kubeconfig=R "
     "!--kube-apiserver=N !--kube-token= "
     "!--kube-ca-file=R "
     "^privilege--kube-as-user= ^privilege--kube-as-group= !--kube-insecure-skip-tls-verify "
     "--kube-tls-server-name= --burst-limit= "
     "--qps= "
     "!--registry-config=R !--repository-cache=W !--repository-config=R",
     "sub", 0, HELM, .fronted = true, .set_by = "HELM_*"},
    {"helm completion", "mixed --no-descriptions", ".", 0, HELM},
    {"helm dependency", "", "sub", 0, HELM},
    {"helm dependency list", "mixed --max-col-width=", "r", 0, HELM},
    {"helm env", "mixed", ".", EFFECT_SECRETS, HELM},
    {"helm get", "", "sub", 0, HELM},
    {"helm get all", "mixed --revision= --template=", ".", EFFECT_FETCH | EFFECT_SECRETS, HELM},
    {"helm get hooks", "mixed --revision=", ".", EFFECT_FETCH, HELM},
    {"helm get manifest", "mixed --revision=", ".", EFFECT_FETCH | EFFECT_SECRETS, HELM},
    {"helm get metadata", "mixed --revision= -o,--output=", ".", EFFECT_FETCH, HELM},
    {"helm get notes", "mixed --revision=", ".", EFFECT_FETCH, HELM},
    {"helm get values", "mixed -a,--all --revision= -o,--output=", ".",
     EFFECT_FETCH | EFFECT_SECRETS, HELM},
    {"helm help", "", ".*", 0, HELM},
    {"helm history", "mixed --max= -o,--output=", ".", EFFECT_FETCH, HELM},
    {"helm install", "", "@@data", EFFECT_SEND, HELM},
    {"helm lint",
     "mixed --strict --quiet --with-subcharts --kube-version= --set= --set-string= --set-json= "
     "-f,--values=LR "
     "!--set-file=",
     "r*", 0, HELM},
    {"helm list",
     "mixed -a,--all -A,--all-namespaces -d,--date --deployed --failed -f,--filter= -m,--max= "
     "--no-headers --offset= "
     "-o,--output= --pending "
     "-r,--reverse -l,--selector= -q,--short --superseded --time-format= --uninstalled "
     "--uninstalling",
     "none", EFFECT_FETCH, HELM, .also = "helm ls"},
    {"helm ls", "=helm list", "", 0, HELM},
    {"helm plugin", "", "sub", 0, HELM},
    {"helm plugin list", "mixed", "none", 0, HELM, .also = "helm plugin ls"},
    {"helm plugin ls", "=helm plugin list", "", 0, HELM},
    {"helm repo", "", "sub", 0, HELM},
    {"helm repo add", "mixed --force-update --username= --password= --pass-credentials", ". N",
     EFFECT_NETWORK | EFFECT_SYSTEM, HELM},
    {"helm repo list", "mixed -o,--output=", "none", 0, HELM},
    {"helm repo update", "mixed", ".*", EFFECT_FETCH | EFFECT_SYSTEM, HELM},
    {"helm rollback", "", "@@data", EFFECT_SEND, HELM},
    {"helm search", "", "sub", 0, HELM},
    {"helm search repo",
     "mixed --devel --fail-on-no-result --max-col-width= -o,--output= -r,--regexp --version= "
     "-l,--versions",
     ".", 0, HELM},
    {"helm show", "", "sub", 0, HELM},
    {"helm show all", "=helm show values", "", 0, HELM},
    {"helm show chart", "=helm show values", "", 0, HELM},
    {"helm show readme", "=helm show values", "", 0, HELM},
    {"helm show values", "mixed --devel --version= --jsonpath= !--repo=N", "Lr", EFFECT_FETCH,
     HELM},
    {"helm status", "mixed --revision= -o,--output= --show-desc --show-resources", ".",
     EFFECT_FETCH, HELM},
    {"helm template",
     "mixed -f,--values=LR --set= --set-string= --set-json= --set-literal= !--set-file= --version= "
     "--devel "
     "-s,--show-only= --include-crds "
     "--no-hooks --skip-tests --skip-crds --api-versions,-a= --kube-version= --name-template= "
     "-g,--generate-name "
     "--is-upgrade "
     "--release-name --output-dir=w !--validate !--dry-run= !--post-renderer=X "
     "!--post-renderer-args= !--repo=N "
     "!-u,--dependency-update",
     "Lr*", EFFECT_FETCH, HELM},
    {"helm test", "", "@@data", EFFECT_CODE, HELM},
    {"helm uninstall", "", "@@data", EFFECT_SEND | EFFECT_LOSS, HELM,
     .also = "helm delete,helm del,helm un"},
    {"helm upgrade", "", "@@data", EFFECT_SEND, HELM},
    {"helm verify", "mixed --keyring=R", "R", 0, HELM},
    {"helm version", "mixed --short --template=", "none", 0, HELM},
    {"k9s", "%-h,--help", "@@data", EFFECT_CODE, "k9s help"},
    {"kind", "global %-h,--help %--version -q,--quiet -v,--verbosity=", "sub", 0, "kind help"},
    {"kind create", "", "@@data", EFFECT_CODE, "kind help"},
    {"kind delete", "", "@@data", EFFECT_LOSS, "kind help"},
    {"kind get", "", "sub", 0, "kind help"},
    {"kind get clusters", "mixed", "none", EFFECT_FETCH, "kind help"},
    {"kind get nodes", "mixed -n,--name= -A,--all-clusters", "none", EFFECT_FETCH, "kind help"},
    {"kind version", "mixed", "none", 0, "kind help"},
    {"kubectl",
     "global %-h,--help -n,--namespace= --context= --cluster= --user= --request-timeout= -v,--v= "
     "--vmodule= "
     "--warnings-as-errors "
     "--disable-compression --match-server-version --tls-server-name= !-s,--server=N "
     "!--kubeconfig=R !--token= "
     "!--username= !--password= "
     "!--certificate-authority=R !--client-certificate=R !--client-key=R "
     "!--insecure-skip-tls-verify !--cache-dir=W "
     "^privilege--as= ^privilege--as-group= "
     "^privilege--as-uid= --profile= !--profile-output=W",
     "sub", 0, KUBECTL, .danger = DANGER_COMMANDS, .fronted = true, .kinds = KINDS},
    {"kubectl annotate", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl api-resources",
     "mixed --api-group= --cached --categories= --namespaced --no-headers -o,--output= --sort-by= "
     "--verbs=",
     "none", EFFECT_FETCH, KUBECTL},
    {"kubectl api-versions", "mixed", "none", EFFECT_FETCH, KUBECTL},
    {"kubectl apply",
     "mixed -f,--filename=Lr -k,--kustomize=Lr -R,--recursive --dry-run= -l,--selector= --prune "
     "--server-side "
     "--validate= --wait --force "
     "-o,--output=@output --overwrite --timeout=",
     ".*", EFFECT_SEND | EFFECT_CODE, KUBECTL, .says = "changes what runs in a cluster"},
    {"kubectl attach", "", "@@data", EFFECT_CODE, KUBECTL},
    {"kubectl auth", "", "sub", 0, KUBECTL},
    {"kubectl auth can-i",
     "mixed -A,--all-namespaces --list --no-headers -q,--quiet --subresource=", ".*", EFFECT_FETCH,
     KUBECTL},
    {"kubectl auth whoami", "mixed -o,--output=@output", "none", EFFECT_FETCH, KUBECTL},
    {"kubectl autoscale", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl cluster-info", "mixed", "none", EFFECT_FETCH, KUBECTL},
    {"kubectl completion", "mixed", ".", 0, KUBECTL},
    {"kubectl config", "", "sub", 0, KUBECTL},
    {"kubectl config current-context", "mixed", "none", 0, KUBECTL},
    {"kubectl config get-clusters", "mixed", "none", 0, KUBECTL},
    {"kubectl config get-contexts", "mixed --no-headers -o,--output=", ".*", 0, KUBECTL},
    {"kubectl config get-users", "mixed", "none", 0, KUBECTL},
    {"kubectl config use-context", "mixed", ".", EFFECT_SYSTEM, KUBECTL},
    {"kubectl config view",
     "mixed --minify ^secrets--flatten --merge -o,--output=@output ^secrets--raw", "none", 0,
     KUBECTL},
    {"kubectl cordon", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl cp", "mixed -c,--container= --no-preserve --retries=", "^send Lr Lw", EFFECT_CODE,
     KUBECTL},
    {"kubectl create", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl debug", "", "@@data", EFFECT_CODE, KUBECTL},
    {"kubectl delete",
     "mixed --all -A,--all-namespaces --cascade= --dry-run= --field-selector= -f,--filename=Lr "
     "--force --grace-period= "
     "--ignore-not-found "
     "-i,--interactive -k,--kustomize=Lr --now -o,--output= -R,--recursive -l,--selector= "
     "--timeout= --wait",
     ".*", EFFECT_SEND | EFFECT_LOSS, KUBECTL},
    {"kubectl describe",
     "mixed -A,--all-namespaces --chunk-size= -R,--recursive -l,--selector= --show-events "
     "-f,--filename=Lr",
     "{1:secret} ^secrets .* | {1:secrets} ^secrets .* | .*", EFFECT_FETCH,
     KUBECTL "; of a secret with the token of a service account it prints that"},
    {"kubectl diff",
     "mixed -f,--filename=Lr -R,--recursive -l,--selector= --server-side --field-manager= "
     "--concurrency= --prune",
     "none", EFFECT_FETCH, KUBECTL},
    {"kubectl drain", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl edit", "", "@@data", EFFECT_SEND | EFFECT_CODE, KUBECTL},
    {"kubectl events",
     "mixed -A,--all-namespaces --chunk-size= --for= --no-headers -o,--output=@output --types= "
     "-w,--watch",
     "none", EFFECT_FETCH, KUBECTL},
    {"kubectl exec",
     "-c,--container= -f,--filename=LR --pod-running-timeout= -q,--quiet -i,--stdin -t,--tty",
     ". I", EFFECT_CODE, KUBECTL, .says = "runs a command in a cluster"},
    {"kubectl explain", "mixed --api-version= --recursive -o,--output=", ".", EFFECT_FETCH,
     KUBECTL},
    {"kubectl expose", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl get",
     "mixed -A,--all-namespaces --chunk-size= --field-selector= --ignore-not-found "
     "-L,--label-columns= --no-headers "
     "-o,--output=@output "
     "--output-watch-events ^unknown--raw= -R,--recursive -l,--selector= --server-print "
     "--show-kind "
     "--show-labels "
     "--show-managed-fields --sort-by= "
     "--subresource= --template=R -w,--watch --watch-only ^secrets-f,--filename=Lr "
     "!-k,--kustomize=Lr "
     "--allow-missing-template-keys",
     "@kind*", EFFECT_FETCH, KUBECTL},
    {"kubectl help", "", ".*", 0, KUBECTL},
    {"kubectl kustomize", "", "@@data", EFFECT_CODE, KUBECTL},
    {"kubectl label", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl logs",
     "mixed --all-containers --all-pods -c,--container= -f,--follow --ignore-errors --limit-bytes= "
     "--max-log-requests= "
     "--pod-running-timeout= "
     "--prefix -p,--previous -l,--selector= --since= --since-time= --tail= --timestamps",
     ". .", EFFECT_FETCH, KUBECTL},
    {"kubectl options", "mixed", "none", 0, KUBECTL},
    {"kubectl patch", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl plugin", "", "sub", 0, KUBECTL},
    {"kubectl plugin list", "mixed --name-only", "none", 0, KUBECTL},
    {"kubectl port-forward", "mixed --address= --pod-running-timeout=", ". .*", EFFECT_NETWORK,
     KUBECTL},
    {"kubectl proxy", "", "@@data", EFFECT_NETWORK, KUBECTL},
    {"kubectl replace", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl rollout", "", "sub", 0, KUBECTL},
    {"kubectl rollout history",
     "mixed --revision= -l,--selector= -o,--output=@output -f,--filename=Lr -R,--recursive", ".*",
     EFFECT_FETCH, KUBECTL},
    {"kubectl rollout restart", "mixed -l,--selector= -o,--output= --field-manager=", ".*",
     EFFECT_SEND, KUBECTL},
    {"kubectl rollout status",
     "mixed --revision= -l,--selector= --timeout= -w,--watch -f,--filename=Lr -R,--recursive", ".*",
     EFFECT_FETCH, KUBECTL},
    {"kubectl rollout undo", "mixed --to-revision= -l,--selector= --dry-run=", ".*", EFFECT_SEND,
     KUBECTL},
    {"kubectl run", "", "@@data", EFFECT_CODE, KUBECTL, .says = "runs a command in a cluster"},
    {"kubectl scale", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl set", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl taint", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl top", "", "sub", 0, KUBECTL},
    {"kubectl top node",
     "mixed --no-headers -l,--selector= --show-capacity --sort-by= --use-protocol-buffers", ".*",
     EFFECT_FETCH, KUBECTL, .also = "kubectl top nodes,kubectl top no"},
    {"kubectl top nodes", "=kubectl top node", "", 0, KUBECTL},
    {"kubectl top pod",
     "mixed -A,--all-namespaces --containers --field-selector= --no-headers -l,--selector= "
     "--sort-by= --sum "
     "--use-protocol-buffers",
     ".*", EFFECT_FETCH, KUBECTL, .also = "kubectl top pods,kubectl top po"},
    {"kubectl top pods", "=kubectl top pod", "", 0, KUBECTL},
    {"kubectl uncordon", "", "@@data", EFFECT_SEND, KUBECTL},
    {"kubectl version", "mixed --client -o,--output=", "none", EFFECT_FETCH, KUBECTL},
    {"kubectl wait",
     "mixed --all -A,--all-namespaces --field-selector= --for= --local -l,--selector= --timeout= "
     "-o,--output=@output "
     "-f,--filename=Lr -R,--recursive",
     ".*", EFFECT_FETCH, KUBECTL},
    {"kustomize", "%-h,--help", "sub", 0, "kustomize help"},
    {"kustomize build", "mixed", "^unknown Lr", EFFECT_CODE,
     "kustomize help; generators and plugins run programs, remote bases are fetched"},
    {"kustomize version", "mixed", "none", 0, "kustomize help"},
    {"minikube", "%-h,--help -p,--profile=", "sub", 0, "minikube help"},
    {"minikube ip", "mixed -p,--profile= -n,--node=", "none", EFFECT_FETCH, "minikube help"},
    {"minikube logs", "mixed -p,--profile= -f,--follow -n,--length= --problems --node=", "none",
     EFFECT_FETCH, "minikube help"},
    {"minikube profile", "", "sub", 0, "minikube help"},
    {"minikube profile list", "mixed -o,--output= -l,--light", "none", EFFECT_FETCH,
     "minikube help"},
    {"minikube status", "mixed -p,--profile= -f,--format= -o,--output= -l,--layout= -n,--node=",
     "none", EFFECT_FETCH, "minikube help"},
    {"minikube version", "mixed --short -o,--output= --components", "none", 0, "minikube help"},
    {"nerdctl", "=docker", "", 0, "nerdctl --help; the commands it shares with docker"},
    {"oc", "=kubectl", "", 0, "oc help; the commands it shares with kubectl"},
    {"podman", "=docker", "", 0, "podman(1); the commands it shares with docker"},
    {"podman-compose", "%--version %--help", "@@data", EFFECT_CODE, "podman-compose --help"},
    {"skopeo", "%--version %--help", "@@data", EFFECT_NETWORK, "skopeo(1)"},
    {"stern", "%--version %--help", "^unknown .*", EFFECT_FETCH, "stern --help"},
};

extern const struct program_file rows_container;
const struct program_file rows_container = {"programs/rows/container.c", rows, COUNT(rows)};
