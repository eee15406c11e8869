/* Opens sockets to the kernel: routes, audit, connector; and raw packets. */
#include "guest.h"

#include <linux/netlink.h>

int main(int argc, char **argv) {
    begin(argc, argv);
    judge(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), "netlink, routes");
    judge(socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT), "netlink, audit");
    judge(socket(AF_PACKET, SOCK_RAW, 0), "raw packets");
    return play_on();
}
